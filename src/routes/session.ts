import { z } from 'zod'
import { userWith } from '../actions/session.js'
import { countAct, forgive, isSpent } from '../models/throttle.js'
import type { CurrentUser } from '../models/user.js'
import { allow } from '../web/allow.js'
import { body, bodyOf } from '../web/body.js'
import type { AppRouter, Context } from '../web/context.js'
import { form } from '../web/form.js'
import { input, line, optionalLine } from '../web/input.js'
import { Problem } from '../web/problem.js'
import { respond } from '../web/respond.js'
import { signOut } from '../web/sessions.js'
import { signInLimit, throttled } from '../web/throttle.js'
import { enterOrAskForCode } from './signingIn.js'

/** No password is longer, and hashing a megabyte is what an attacker would ask for. */
const SignInRequest = z.object({
  email: line('email', 320),
  password: z
    .string({ error: (issue) => (issue.input === undefined ? 'password_required' : 'not_text') })
    .min(1, 'password_required')
    .max(1024, 'password_too_long'),
  /** Of a second factor; pages ask for it in a second step. */
  code: optionalLine('signInCode', 100),
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
      const { email, password, code } = input(ctx, SignInRequest)
      const user = await authenticated(ctx, email, password)
      const { next, typed } = bodyOf(ctx)
      const isIn = await enterOrAskForCode(ctx, user, { code, next: localPath(next), typed })
      if (isIn) await forgiveGuesses(ctx, user.email)
    },
  )

  router.post(['/sign-out', '/api/auth/sign-out'], allow('session.delete'), body(), async (ctx) => {
    signOut(ctx)
    ctx.set('Clear-Site-Data', '"cache"')
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
  return { next, typed }
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
  // Without its code, a right password is one more guess.
  if (limited && user.hasSecondFactor) await countAct(signInLimit, who)
  return user
}

/** What was counted against a person and address is forgotten once they are in. */
export async function forgiveGuesses(ctx: Context, email: string): Promise<void> {
  await forgive(signInLimit, `${email.toLowerCase()} ${ctx.ip}`)
}

function presentUser({ id, name, email, role }: CurrentUser) {
  return { id, name, email, role }
}

/** A path on this very site, or null: anything a browser could read as another host is refused (decision 1.1). */
export function localPath(next: unknown): string | null {
  if (typeof next !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return null
  const url = new URL(next, 'http://ours.invalid')
  return url.origin === 'http://ours.invalid' ? url.pathname + url.search : null
}
