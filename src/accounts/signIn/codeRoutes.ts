import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { enteredFields } from '../../platform/http/enteredFields.js'
import { Problem } from '../../platform/http/problem.js'
import { answeredByHandler, page } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { pendingSignInHash } from '../../platform/http/session/browserCookies.js'
import { CodeRequest } from '../secondFactor/secondFactorRoutes.js'
import { type PendingSignIn, pendingSignIn } from '../secondFactor/signInCode.js'
import { codeAccepted } from './codeAttempts.js'
import { completeSignIn, SignedInJson } from './completeSignIn.js'

/** `printed`: a recovery code is typed, which needs another hint and keyboard. */
const CodeQuery = z.object({ printed: z.literal('1', 'not_acceptable').optional() })

/** The second step of a sign-in: the code of the app, or a recovery code (decision 7.12). */
export const signInCodeRoutes = [
  route({
    method: 'get',
    paths: '/sign-in/code',
    summary: 'The form for the code of a two-step sign-in.',
    permission: 'session.create',
    confidential: true,
    subject: async ({ ctx }) => pendingIn(ctx),
    query: CodeQuery,
    answer: page,
    handle: ({ subject: pending, query: { printed } }) =>
      pending?.waits
        ? { view: 'accounts/signInCode', extras: { printed: printed !== undefined } }
        : { location: '/sign-in' },
  }),

  route({
    method: 'post',
    paths: ['/sign-in/code', '/api/auth/sign-in/code'],
    group: 'account',
    summary: 'Completes a two-step sign-in with a code.',
    permission: 'session.create',
    confidential: true,
    subject: async ({ ctx }) => {
      const pending = await pendingIn(ctx)
      if (!pending?.waits) throw tooLate(ctx, pending)
      return pending
    },
    body: CodeRequest,
    answer: SignedInJson,
    form: {
      view: 'accounts/signInCode',
      load: async (ctx) => ({ printed: enteredFields(ctx).printed !== undefined }),
      secret: true,
    },
    handle: async ({ ctx, subject: pending, body: { code } }) => {
      if (await codeAccepted(ctx, pending.user, code, pending)) {
        await completeSignIn(ctx, pending.user, pending)
        return answeredByHandler
      }
      if (!(await pendingIn(ctx))?.waits) throw tooLate(ctx, pending)
      throw new Problem(422, 'wrong_code', { members: { errors: { code: ['code_wrong'] } } })
    },
  }),
]

async function pendingIn(ctx: Context) {
  const idHash = pendingSignInHash(ctx)
  const pending = idHash && (await pendingSignIn(idHash))
  return pending && { ...pending, idHash }
}

/** 401 with the sign-in page, which leads where this sign-in would have led. */
function tooLate(ctx: Context, pending: PendingSignIn | null): Problem {
  if (pending) ctx.state.signIn.returnTo = { next: pending.next, carriedForm: pending.carriedForm }
  return new Problem(401, 'code_too_late')
}
