import { z } from 'zod'
import { type Answer, respond } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { shape } from '../../platform/http/json.js'
import { localPath, withQuery } from '../../platform/http/paths.js'
import { Problem } from '../../platform/http/problem.js'
import { siteTag } from '../../platform/http/protection/clientNetwork.js'
import { countLinkRequest } from '../../platform/http/protection/signInLimits.js'
import { answeredByHandler, page } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { linkRoute } from '../../platform/http/route/linkRoute.js'
import { route } from '../../platform/http/route/route.js'
import { actorOf } from '../../platform/http/session/authenticate.js'
import { ensureGuestSecret, rememberAskedAddress } from '../../platform/http/session/browserCookies.js'
import { config } from '../../platform/process/config.js'
import { guestReportId } from '../../vocabulary/guestReports.js'
import { emailAddress, trimmedText } from '../../vocabulary/inputRules.js'
import { limits } from '../../vocabulary/limits.js'
import { User } from '../users/user.js'
import { carriedForms } from './carriedFormHooks.js'
import { completeSignIn, earlierTarget, SignedInJson, signInByEmail } from './completeSignIn.js'
import { requirePasswordOpen } from './credentials.js'
import { carriedFormOf, returnQuery } from './returnTarget.js'
import { loadSignInPage } from './sessionRoutes.js'
import {
  askForLink,
  createOwnAccount,
  offerAnother,
  type SignInLink,
  type SignUpLink,
  signInLink,
  signUpLink,
  useSignInLink,
} from './signInLink.js'

const carried = z.string('not_text').max(300_000, 'not_acceptable').nullish()
const LinkRequest = z
  .object({ email: emailAddress, next: carried, typed: carried })
  .meta({ id: 'SignInLinkRequest' })
const shared = {
  paths: '/sign-in/link/:token',
  permission: 'session.create',
  answer: page,
  ...linkRoute('sign_in', signInLink, offerAnother),
} as const

/** Signing in by an emailed link, in the browser that asked for it (decision 7.15). */
export const signInLinkRoutes = [
  route({
    method: 'post',
    paths: ['/sign-in/link', '/api/auth/sign-in/link'],
    group: 'account',
    summary:
      'Emails a sign-in link and a code, also to create an account if sign-up is open. The response is the same for every address.',
    permission: 'session.create',
    body: LinkRequest,
    answer: shape('SignInLinkRequested', { requested: z.boolean() }),
    form: { view: 'accounts/signIn', load: loadSignInPage },
    handle: async ({ ctx, body: { email, next, typed: carriedForm }, actor }) => {
      const { folded, user } = await User.byAddress(email)
      await countLinkRequest(ctx, user ? { userId: user.id } : { address: folded })
      const request = {
        email,
        locale: ctx.state.locale,
        browser: ensureGuestSecret(ctx),
        network: siteTag(ctx),
        next: localPath(next),
        carriedForm: user ? carriedFormOf(carriedForm, user.id) : null,
        reportId: guestReportId(carriedForm),
      }
      await askForLink(actor, request, config.singleSignOn?.only === true)
      rememberAskedAddress(ctx, 'signIn', email)
      const location = withQuery('/sign-in/link-sent', returnQuery({ next, carriedForm }))
      return { data: { requested: true }, location }
    },
  }),

  route({
    ...shared,
    method: 'get',
    summary: 'Shows which account a sign-in link is for, in the browser that requested it.',
    handle: async ({ ctx, subject }) => {
      if (!subject.isAlive) {
        await respond(ctx, await whereItLed(ctx, subject))
        return answeredByHandler
      }
      const report = await carriedForms.registered().waitingReport(ctx, subject.carriedForm)
      return { view: 'accounts/signInLink', extras: { name: subject.user.name, report, action: ctx.path } }
    },
  }),

  route({
    ...shared,
    method: 'post',
    summary: 'Signs in once with the link, and asks for a code if two-step sign-in is on.',
    body: emptyBody,
    handle: async ({ ctx, subject }) => {
      const { user, next, carriedForm } = subject
      // A second press goes where the first one led.
      if (!subject.isAlive) return { location: ctx.path }
      if (!ctx.state.user) ctx.state.signIn.returnTo = { next, carriedForm }
      await requirePasswordOpen(user)
      if (!(await useSignInLink(actorOf(ctx.state, user), subject))) return { location: ctx.path }
      return signInByEmail(ctx, user, { next, carriedForm })
    },
  }),
]

/** Where a link led whom it has signed in. Throws 404 for anyone else. */
async function whereItLed(ctx: Context, { user, next, carriedForm }: SignInLink): Promise<Answer> {
  offerAnother(ctx, { next, carriedForm })
  if (ctx.state.user?.id !== user.id) throw new Problem(404, 'sign_in_link_over')
  return earlierTarget(ctx, ctx.state.user, { next, carriedForm })
}

const SignUpRequest = z.object({ name: trimmedText('name', limits.name) }).meta({ id: 'SignUpRequest' })

/** Who a sign-up link was sent to. */
const SignUpJson = z.object({ email: z.string() }).meta({ id: 'SignUp' })

const madeByLink = {
  paths: ['/sign-up/:token', '/api/auth/sign-up/:token'],
  group: 'account',
  permission: 'session.create',
  ...linkRoute(
    'sign_up',
    async (link, ctx) => {
      const subject = await signUpLink(link, ctx)
      if (subject && !subject.isAlive) offerAnother(ctx, subject)
      return subject?.isAlive ? subject : null
    },
    offerAnother,
  ),
} as const

/** Making an account behind an emailed link, in the browser that asked for it (decision 7.15). */
export const signUpRoutes = [
  route({
    ...madeByLink,
    method: 'get',
    summary: 'Shows which address a sign-up link is for, in the browser that requested it.',
    answer: SignUpJson,
    handle: async ({ ctx, subject }) => ({
      data: { email: subject.address },
      view: 'accounts/signUp',
      extras: await pageOf(ctx, subject),
    }),
  }),

  route({
    ...madeByLink,
    method: 'post',
    summary: 'Creates an account once with the link and signs in.',
    body: SignUpRequest,
    answer: SignedInJson,
    form: { view: 'accounts/signUp', load: async (ctx) => pageOf(ctx, await madeByLink.subject({ ctx })) },
    handle: async ({ ctx, subject, body: { name }, actor }) => {
      const made = await createOwnAccount(actor, subject, { name, locale: ctx.state.locale })
      if (made === null) throw new Problem(404, 'sign_in_link_over')
      const { next, carriedForm } = subject
      await completeSignIn(ctx, await User.forSignIn(made), { next, carriedForm })
      return answeredByHandler
    },
  }),
]

/** The form behind a sign-up link. */
async function pageOf(ctx: Context, { address, carriedForm }: SignUpLink): Promise<Record<string, unknown>> {
  const report = await carriedForms.registered().waitingReport(ctx, carriedForm)
  return { address, report, action: `/sign-up/${ctx.params.token!}`, longest: limits.name }
}
