import { z } from 'zod'
import { userWith } from '../actions/session.js'
import { countAct, forgive, isSpent } from '../models/throttle.js'
import type { CurrentUser } from '../models/user.js'
import { allow } from '../web/allow.js'
import { asUser } from '../web/authenticate.js'
import { body, bodyOf } from '../web/body.js'
import type { AppRouter, Context } from '../web/context.js'
import { form } from '../web/form.js'
import { input, line } from '../web/input.js'
import { localPath } from '../web/localPath.js'
import { Problem } from '../web/problem.js'
import { type Answer, respond } from '../web/respond.js'
import { signIn, signOut } from '../web/sessions.js'
import { signInLimit, throttled } from '../web/throttle.js'
import { resumedForm } from './resume.js'

/** No password is longer, and hashing a megabyte is what an attacker would ask for. */
const SignInRequest = z.object({
  email: line('email', 320),
  password: z
    .string({ error: (issue) => (issue.input === undefined ? 'password_required' : 'not_text') })
    .min(1, 'password_required')
    .max(1024, 'password_too_long'),
})

/** Signing in and out (spec §5 rule 1, decision 1.1). */
export function sessionRoutes(router: AppRouter): void {
  router.get('/sign-in', allow('session.create'), async (ctx) => {
    await respond(ctx, { view: 'session/new', extras: { next: localPath(ctx.query.next) } })
  })

  router.post(
    ['/sign-in', '/api/auth/sign-in/email'],
    allow('session.create'),
    body(),
    form({ view: 'session/new', load: signInPage }),
    async (ctx) => {
      const { email, password } = input(ctx, SignInRequest)
      const user = await authenticated(ctx, email, password)
      await signIn(ctx, user)
      asUser(ctx.state, user)
      await respond(ctx, (await resumedForm(ctx, user)) ?? signedIn(ctx, user))
    },
  )

  router.post(['/sign-out', '/api/auth/sign-out'], allow('session.delete'), body(), async (ctx) => {
    signOut(ctx)
    await respond(ctx, { location: '/', notice: 'signedOut' })
  })

  router.get('/api/auth/get-session', allow('session.read'), async (ctx) => {
    const { user } = ctx.state
    await respond(ctx, { data: user ? { user: presentUser(user) } : null })
  })
}

/** Where a sign-in goes on, and what was typed before it: kept through a refused try. */
async function signInPage(ctx: Context): Promise<Record<string, unknown>> {
  const { next, typed } = bodyOf(ctx)
  return { next: localPath(next), typed }
}

function signedIn(ctx: Context, user: CurrentUser): Answer {
  return { data: { user: presentUser(user) }, location: localPath(bodyOf(ctx).next) ?? '/' }
}

/** Counts failures only, per account and address: ten wrong ones close this pair for a while, nobody else (decision 1.6). */
async function authenticated(ctx: Context, email: string, password: string): Promise<CurrentUser> {
  const who = `${email.toLowerCase()} ${ctx.ip}`
  const limited = signInLimit.points > 0
  const wait = limited ? await isSpent(signInLimit, who) : null
  if (wait !== null) throw throttled(wait)
  const user = await userWith(email, password)
  if (!user) {
    if (limited) await countAct(signInLimit, who)
    throw new Problem(401, 'wrong_credentials')
  }
  if (limited) await forgive(signInLimit, who)
  return user
}

function presentUser({ id, name, email, role }: CurrentUser) {
  return { id, name, email, role }
}
