import { z } from 'zod'
import { userBehind } from '../../pages/accounts/credentials.js'
import { enterOrAskForCode, presentUser, SignedInJson } from '../../pages/accounts/signingIn.js'
import type { Context } from '../../web/context.js'
import { line, optionalLine, typedIn } from '../../web/request/input.js'
import { localPath } from '../../web/request/localPath.js'
import { answered, noContent, page } from '../../web/route/answer.js'
import { noFields } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'
import { signOut } from '../../web/session/sessions.js'

/** The password is limited to 1024 characters, because hashing a megabyte of text would be a cheap attack. */
const SignInRequest = z
  .object({
    email: line('email', 320),
    password: z
      .string({ error: (issue) => (issue.input === undefined ? 'password_required' : 'not_text') })
      .min(1, 'password_required')
      .max(1024, 'password_too_long'),
    /** A second factor's code; pages ask for it in a second step. */
    code: optionalLine('signInCode', 100),
    next: z.string('not_text').nullish(),
    typed: z.string('not_text').nullish(),
  })
  .meta({ id: 'SignInRequest' })

const GoingOn = z.object({ next: z.string('not_acceptable').optional() })

/** Signing in and out (spec §5 rule 1, decision 1.1). */
export const sessionRoutes = [
  route({
    method: 'get',
    paths: '/sign-in',
    summary: 'The form to sign in with.',
    permission: 'session.create',
    query: GoingOn,
    answer: page,
    handle: ({ query }) => ({ view: 'accounts/signIn', extras: { next: localPath(query.next) } }),
  }),

  route({
    method: 'post',
    paths: ['/sign-in', '/api/auth/sign-in/email'],
    summary: 'Signs in: the answer sets the cookie of the session.',
    permission: 'session.create',
    body: SignInRequest,
    answer: SignedInJson,
    form: { view: 'accounts/signIn', load: signInPage },
    handle: async ({ ctx, body: { email, password, code, next, typed } }) => {
      const user = await userBehind(ctx, email, password)
      await enterOrAskForCode(ctx, user, { code, next: localPath(next), typed })
      return answered
    },
  }),

  route({
    method: 'post',
    paths: ['/sign-out', '/api/auth/sign-out'],
    summary: 'Signs out: ends the session.',
    permission: 'session.delete',
    body: noFields,
    answer: noContent,
    handle: ({ ctx }) => {
      signOut(ctx)
      return { location: '/', notice: 'signedOut' }
    },
  }),

  route({
    method: 'get',
    paths: '/api/auth/get-session',
    summary: 'Who is signed in; null for nobody.',
    permission: 'session.read',
    answer: SignedInJson.nullable(),
    handle: ({ ctx: { state } }) => ({ data: state.user ? { user: presentUser(state.user) } : null }),
  }),
]

/** Keeps the target and the form typed before through a refused sign-in. */
async function signInPage(ctx: Context): Promise<Record<string, unknown>> {
  const { next, typed } = typedIn(ctx)
  return { next: localPath(next), typed }
}
