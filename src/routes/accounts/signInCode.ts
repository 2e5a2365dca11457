import { z } from 'zod'
import { type PendingSignIn, pendingSignIn } from '../../models/accounts/pendingSignIn.js'
import { codeAccepted, enter } from '../../pages/accounts/signingIn.js'
import { Problem } from '../../web/answer/problem.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { confidential } from '../../web/protection/confidential.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { form } from '../../web/request/form.js'
import { input, line, queryOf, typedIn } from '../../web/request/input.js'
import { pendingOf } from '../../web/session/browserCookies.js'

const CodeRequest = z.object({ code: line('signInCode', 100) })
/** Whether somebody types a printed code: another hint and keyboard, the same field. */
const Way = z.object({ printed: z.literal('1', 'not_acceptable').optional() })

/** The second step of a sign-in: the code, of the app or a printed one (decision 7.12). */
export function signInCodeRoutes(router: AppRouter): void {
  router.get('/sign-in/code', allow('session.create'), confidential(), async (ctx) => {
    if ((await pendingIn(ctx))?.waits)
      await respond(ctx, {
        view: 'accounts/signInCode',
        extras: { printed: queryOf(ctx, Way).printed !== undefined },
      })
    else await respond(ctx, { location: '/sign-in' })
  })

  router.post(
    '/sign-in/code',
    allow('session.create'),
    confidential(),
    body(),
    form({
      view: 'accounts/signInCode',
      load: async (ctx) => ({ printed: typedIn(ctx).printed !== undefined }),
    }),
    async (ctx) => {
      const pending = await pendingIn(ctx)
      if (!pending?.waits) throw tooLate(ctx, pending)
      const { code } = input(ctx, CodeRequest)
      if (await codeAccepted(ctx, pending.user, code, pending.idHash))
        return enter(ctx, pending.user, pending)
      if (!(await pendingIn(ctx))?.waits) throw tooLate(ctx, pending)
      throw new Problem(422, 'wrong_code', { members: { errors: { code: ['code_wrong'] } } })
    },
  )
}

async function pendingIn(ctx: Context) {
  const idHash = pendingOf(ctx)
  const pending = idHash && (await pendingSignIn(idHash))
  return pending && { ...pending, idHash }
}

/** 401: the page is the sign-in, which goes on where this one would have. */
function tooLate(ctx: Context, pending: PendingSignIn | null): Problem {
  if (pending) ctx.state.goesOn = { next: pending.next, typed: pending.typed }
  return new Problem(401, 'code_too_late')
}
