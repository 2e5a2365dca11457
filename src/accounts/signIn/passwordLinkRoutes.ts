import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { enteredFields } from '../../platform/http/enteredFields.js'
import { shape } from '../../platform/http/json.js'
import { withQuery } from '../../platform/http/paths.js'
import { countLinkRequest } from '../../platform/http/protection/signInLimits.js'
import { page } from '../../platform/http/route/answerContent.js'
import { linkRoute } from '../../platform/http/route/linkRoute.js'
import { type Route, route } from '../../platform/http/route/route.js'
import { actorOf } from '../../platform/http/session/authenticate.js'
import { trimmedText } from '../../vocabulary/inputRules.js'
import { newPassword } from '../users/passwords.js'
import { User } from '../users/user.js'
import { CodeNeededJson, SignedInJson, signInByEmail } from './completeSignIn.js'
import { requirePasswordOpen } from './credentials.js'
import { type Holder, holderOf, type Purpose, requestReset, usePasswordLink } from './passwordLink.js'
import { returnQuery } from './returnTarget.js'

const ChooseRequest = z.object({ password: newPassword }).meta({ id: 'ChooseRequest' })

/** The person a link was made for. */
const HolderJson = shape('LinkHolder', { name: z.string(), email: z.string() })

type Address = `/${string}/:token`

/**
 * The page behind a one-time link: choose a password and sign in. It acts for the person the link
 * was made for, whoever is signed in.
 */
export function passwordLinkRoutes(addresses: readonly [Address, ...Address[]], purpose: Purpose): Route[] {
  const shared = {
    paths: addresses,
    group: 'account',
    permission: 'session.create',
    ...linkRoute(purpose, async (link) => {
      const holder = await holderOf(link)
      if (holder) await requirePasswordOpen(holder)
      return holder
    }),
  } as const
  const pageOf = (ctx: Context, { name, email }: Holder) => ({
    purpose,
    name,
    email,
    action: addresses[0].replace(':token', ctx.params.token!),
  })
  return [
    route({
      ...shared,
      method: 'get',
      summary: 'Shows which account a password link is for.',
      answer: HolderJson,
      handle: ({ ctx, subject }) => ({
        data: { name: subject.name, email: subject.email },
        view: 'accounts/choosePassword',
        extras: pageOf(ctx, subject),
      }),
    }),

    route({
      ...shared,
      method: 'post',
      summary: 'Sets a password once and signs in, and asks for a code if two-step sign-in is on.',
      body: ChooseRequest,
      answer: z.union([SignedInJson, CodeNeededJson]),
      form: {
        view: 'accounts/choosePassword',
        load: async (ctx) => pageOf(ctx, await shared.subject({ ctx })),
        secret: true,
      },
      handle: async ({ ctx, subject, body: { password } }) => {
        await usePasswordLink(actorOf(ctx.state, subject), subject, password)
        const user = await User.forSignIn(subject.id)
        return signInByEmail(ctx, user, { next: null, carriedForm: null, notice: 'welcome' })
      },
    }),
  ]
}

/** The link in the invitation of a new user (decision 6.1). */
export const invitationRoutes = passwordLinkRoutes(
  ['/invitation/:token', '/api/auth/invitation/:token'],
  'invite',
)

const carried = z.string('not_text').optional()
/** For pages, which do without what they cannot read. */
const ReadableReturnQuery = z.object({ next: carried.catch(undefined), typed: carried.catch(undefined) })
const ResetRequest = z
  .object({ email: trimmedText('email', 320), next: carried, typed: carried })
  .meta({ id: 'ResetRequest' })

/**
 * The request for a reset link, answered alike with and without such an account, and the link
 * (decision 1.1).
 */
export const passwordResetRoutes = [
  route({
    method: 'get',
    paths: '/forgot-password',
    summary: 'The form to request a password reset.',
    permission: 'session.create',
    query: ReadableReturnQuery,
    answer: page,
    handle: ({ query: { next, typed: carriedForm } }) => ({
      view: 'accounts/forgotPassword',
      extras: { returnTo: returnQuery({ next, carriedForm }) },
    }),
  }),

  route({
    method: 'post',
    paths: ['/forgot-password', '/api/auth/forgot-password'],
    group: 'account',
    summary: 'Emails a password reset link if the account exists.',
    permission: 'session.create',
    body: ResetRequest,
    answer: shape('ResetRequested', { requested: z.boolean() }),
    form: {
      view: 'accounts/forgotPassword',
      load: async (ctx) => {
        const { next, typed: carriedForm } = ReadableReturnQuery.parse(enteredFields(ctx))
        return { returnTo: returnQuery({ next, carriedForm }) }
      },
    },
    handle: async ({ ctx, body: { email, next, typed: carriedForm }, actor }) => {
      const { folded, user } = await User.byAddress(email)
      await countLinkRequest(ctx, user ? { userId: user.id } : { address: folded })
      await requestReset(actor, email)
      const location = withQuery('/sign-in', returnQuery({ next, carriedForm }))
      return { data: { requested: true }, location, notice: 'linkSent' }
    },
  }),

  ...passwordLinkRoutes(['/reset-password/:token', '/api/auth/reset-password/:token'], 'reset'),
]
