import { z } from 'zod'
import { respond } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { enteredFields } from '../../platform/http/enteredFields.js'
import { localPath } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { unauthenticated } from '../../platform/http/request/allow.js'
import { answeredByHandler, noContent, page } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { askedAddress } from '../../platform/http/session/browserCookies.js'
import { signOut } from '../../platform/http/session/sessionCookie.js'
import { guestReportId } from '../../vocabulary/guestReports.js'
import { optionalText, trimmedText } from '../../vocabulary/inputRules.js'
import { may, type Permission } from '../../vocabulary/people/permissions.js'
import { longestComparedPassword } from '../users/passwords.js'
import { carriedForms } from './carriedFormHooks.js'
import { continueSignIn, presentUser, SignedInJson } from './completeSignIn.js'
import { userBehind } from './credentials.js'
import { providerSignOutUrl } from './providerSignIn.js'
import { ReturnQuery } from './returnTarget.js'

const SignInRequest = z
  .object({
    email: trimmedText('email', 320),
    password: z
      .string({ error: (issue) => (issue.input === undefined ? 'password_required' : 'not_text') })
      .min(1, 'password_required')
      .max(longestComparedPassword, 'password_too_long'),
    /** A second factor's code; pages ask for it in a second step. */
    code: optionalText('signInCode', 100),
    next: z.string('not_text').nullish(),
    typed: z.string('not_text').nullish(),
  })
  .meta({ id: 'SignInRequest' })

const ResumeRequest = z.object({ typed: z.string('not_text').nullish() })

/** Signing in and out (spec §5 rule 1, decision 1.1). */
export const sessionRoutes = [
  route({
    method: 'get',
    paths: '/sign-in',
    summary: 'The sign-in form.',
    permission: 'session.create',
    query: ReturnQuery,
    answer: page,
    handle: async ({ ctx, query: { next, typed: carriedForm } }) => ({
      view: 'accounts/signIn',
      extras: {
        next: localPath(next),
        carriedForm: guestReportId(carriedForm) && carriedForm,
        report: await carriedForms.registered().waitingReport(ctx, carriedForm),
        values: { email: askedAddress(ctx, 'signIn') ?? '' },
      },
    }),
  }),

  route({
    method: 'post',
    paths: ['/sign-in', '/api/auth/sign-in/email'],
    group: 'account',
    summary: 'Signs in. The response sets the session cookie.',
    permission: 'session.create',
    body: SignInRequest,
    answer: SignedInJson,
    form: { view: 'accounts/signIn', load: loadSignInPage },
    handle: async ({ ctx, body: { email, password, code, next, typed: carriedForm } }) => {
      if (guestReportId(carriedForm))
        ctx.state.signIn.waitingReport = await carriedForms.registered().waitingReport(ctx, carriedForm)
      const user = await userBehind(ctx, email, password)
      await continueSignIn(ctx, user, { code, next: localPath(next), carriedForm })
      return answeredByHandler
    },
  }),

  route({
    method: 'post',
    paths: '/sign-in/resume',
    summary: 'Continues with a form after signing in in another tab.',
    permission: 'session.create',
    body: ResumeRequest,
    answer: noContent,
    handle: async ({ ctx, body: { typed: carriedForm } }) => {
      const { user } = ctx.state
      if (!user) throw unauthenticated()
      await respond(
        ctx,
        (await carriedForms.registered().resume(ctx, user, carriedForm)) ?? { location: '/' },
      )
      return answeredByHandler
    },
  }),

  route({
    method: 'post',
    paths: ['/sign-out', '/api/auth/sign-out'],
    group: 'account',
    summary:
      'Signs out. If the session started at the identity provider, a page offers to sign out there as well.',
    permission: 'session.delete',
    confidential: true,
    body: emptyBody,
    answer: noContent,
    handle: async ({ ctx }) => {
      const providerUrl = representationOf(ctx) === 'json' ? null : await providerSignOutUrl(ctx)
      signOut(ctx)
      if (!providerUrl) return { location: '/', notice: 'signedOut' }
      return {
        status: 200,
        view: 'accounts/signedOut',
        extras: { ...asGuest, providerUrl: providerUrl.href },
      }
    },
  }),

  route({
    method: 'get',
    paths: '/api/auth/get-session',
    group: 'account',
    summary: 'The signed-in person, or null.',
    permission: 'session.read',
    answer: SignedInJson.nullable(),
    handle: ({ ctx: { state } }) => ({ data: state.user ? { user: presentUser(state.user) } : null }),
  }),
]

/** The frame of a page whose reader was signed in when the request began. */
const asGuest = {
  user: null,
  staff: false,
  can: (permission: Permission) => may('guest', permission),
}

/** Keeps the target and the carried form through a refused sign-in. */
export async function loadSignInPage(ctx: Context): Promise<Record<string, unknown>> {
  const fields = enteredFields(ctx)
  const carriedForm = typeof fields.typed === 'string' ? fields.typed : null
  return {
    next: localPath(fields.next),
    carriedForm,
    report: await carriedForms.registered().waitingReport(ctx, carriedForm),
  }
}
