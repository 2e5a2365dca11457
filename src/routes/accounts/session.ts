import { z } from 'zod'
import { userBehind } from '../../pages/accounts/credentials.js'
import { enterOrAskForCode, presentUser } from '../../pages/accounts/signingIn.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { form } from '../../web/request/form.js'
import { input, line, optionalLine, queryOf, typedIn } from '../../web/request/input.js'
import { localPath } from '../../web/request/localPath.js'
import { signOut } from '../../web/session/sessions.js'

/** No password is longer, and hashing a megabyte is what an attacker would ask for. */
const SignInRequest = z.object({
  email: line('email', 320),
  password: z
    .string({ error: (issue) => (issue.input === undefined ? 'password_required' : 'not_text') })
    .min(1, 'password_required')
    .max(1024, 'password_too_long'),
  /** Of a second factor; pages ask for it in a second step. */
  code: optionalLine('signInCode', 100),
  next: z.string('not_text').nullish(),
  typed: z.string('not_text').nullish(),
})

const GoingOn = z.object({ next: z.string('not_acceptable').optional() })

/** Signing in and out (spec §5 rule 1, decision 1.1). */
export function sessionRoutes(router: AppRouter): void {
  router.get('/sign-in', allow('session.create'), async (ctx) => {
    await respond(ctx, { view: 'accounts/signIn', extras: { next: localPath(queryOf(ctx, GoingOn).next) } })
  })

  router.post(
    ['/sign-in', '/api/auth/sign-in/email'],
    allow('session.create'),
    body(),
    form({ view: 'accounts/signIn', load: signInPage }),
    async (ctx) => {
      const { email, password, code, next, typed } = input(ctx, SignInRequest)
      const user = await userBehind(ctx, email, password)
      await enterOrAskForCode(ctx, user, { code, next: localPath(next), typed })
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
  const { next, typed } = typedIn(ctx)
  return { next: localPath(next), typed }
}
