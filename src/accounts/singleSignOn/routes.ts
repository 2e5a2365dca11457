import { z } from 'zod'
import { redirectToProvider } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { localPath } from '../../platform/http/paths.js'
import { Problem } from '../../platform/http/problem.js'
import { answeredByHandler, noContent, page } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { freshMinutes } from '../../vocabulary/people/actor.js'
import { accountPage } from '../account/routes.js'
import { passwordIsClosed } from '../signIn/credentials.js'
import { linkIdentity, startLinking, unlinkIdentity } from './identities.js'
import { offeredLink } from './identityProvider.js'
import { authorizationUrl, handleCallback, requireProvider } from './page.js'
import { callbackPath } from './providerAttempt.js'

const GoingOn = z.object({ next: z.string('not_acceptable').optional() })

const word = z.string('not_acceptable').max(4096, 'not_acceptable').optional()
/**
 * The parameters of a provider's callback (OpenID Connect Core 3.1.2.5, RFC 9207). Its own texts
 * are not shown.
 */
const Returned = z.object({ code: word, state: word, iss: word, error: word })

/**
 * Signing in at an identity provider (spec §5 rule 1, decision 7.20). Links lead there: a form may
 * not, by our content security policy.
 */
export const singleSignOnRoutes = [
  route({
    method: 'get',
    paths: '/sign-in/oidc',
    summary: 'Redirects to the identity provider to sign in.',
    permission: 'session.create',
    query: GoingOn,
    answer: page,
    handle: ({ ctx, query }) =>
      leave(ctx, { next: localPath(query.next), again: false, link: false, userId: null }),
  }),

  route({
    method: 'get',
    paths: '/sign-in/oidc/again',
    summary: 'Redirects to the identity provider to sign in again.',
    permission: 'account.manage',
    answer: page,
    handle: ({ ctx }) =>
      leave(ctx, { next: '/sign-in/again', again: true, link: false, userId: ctx.state.user!.id }),
  }),

  route({
    method: 'get',
    paths: '/sign-in/oidc/link',
    summary: 'Redirects to the identity provider to link your account.',
    permission: 'account.manage',
    answer: page,
    handle: ({ ctx }) => {
      requireProvider()
      const age = Date.now() - (ctx.state.session?.authenticatedAt.getTime() ?? 0)
      // The form on the account page asks for a recent sign-in before it leads here.
      if (age > freshMinutes * 60_000) return { location: '/account?tab=security' }
      return leave(ctx, {
        next: '/account?tab=security',
        again: false,
        link: true,
        userId: ctx.state.user!.id,
      })
    },
  }),

  route({
    method: 'get',
    paths: callbackPath,
    summary: 'Where the identity provider redirects back to.',
    permission: 'session.create',
    confidential: true,
    // Pages name their address in links: this one holds a code.
    subject: async ({ ctx }) => {
      ctx.state.response.displayedUrl = '/sign-in'
    },
    query: Returned,
    answer: page,
    handle: async ({ ctx, query }) => {
      await handleCallback(ctx, query)
      return answeredByHandler
    },
  }),

  route({
    method: 'get',
    paths: '/sign-in/again',
    summary: 'The page after signing in again, with where to continue.',
    permission: 'account.manage',
    answer: page,
    handle: () => ({ view: 'accounts/signedInAgain' }),
  }),
]

async function leave(
  ctx: Context,
  purpose: Parameters<typeof authorizationUrl>[1],
): Promise<typeof answeredByHandler> {
  redirectToProvider(ctx, await authorizationUrl(ctx, purpose))
  return answeredByHandler
}

const permission = 'account.manage'
/** What the changes of one's own links share. */
const linking = {
  permission,
  throttle: 'writes',
  answer: noContent,
  form: { view: 'accounts/account', name: 'identities', load: accountPage, conflicts: true },
} as const
const Confirmation = z.object({ offer: z.string('not_acceptable').max(4096, 'not_acceptable') })

/** The identities that sign in to one's own account (decision 7.20). */
export const identityRoutes = [
  route({
    method: 'get',
    paths: '/account/identities/new',
    summary: 'The page that starts linking your account to the identity provider.',
    permission,
    answer: page,
    handle: () => {
      requireProvider()
      return { view: 'accounts/linkIdentity' }
    },
  }),

  route({
    ...linking,
    method: 'post',
    paths: '/account/identities',
    summary: 'Starts linking your account to an identity.',
    body: emptyBody,
    handle: async ({ actor }) => {
      requireProvider()
      await startLinking(actor)
      return { location: '/account/identities/new' }
    },
  }),

  route({
    ...linking,
    method: 'post',
    paths: '/account/identities/confirmation',
    summary: 'Links your account to the identity named by the provider.',
    body: Confirmation,
    handle: async ({ ctx, body, actor }) => {
      requireProvider()
      const claims = offeredLink(ctx, body.offer)
      if (!claims) throw new Problem(409, 'sign_in_over')
      await linkIdentity(actor, claims)
      return { location: '/account?tab=security', notice: 'identityLinked' }
    },
  }),

  ...routePair({
    ...linking,
    method: 'delete',
    paths: '/api/account/identities/:id',
    group: 'account',
    fromForm: '/account/identities/:id/unlink',
    summary: 'Removes the link between an identity and your account.',
    body: emptyBody,
    handle: async ({ ctx, params, actor }) => {
      await unlinkIdentity(actor, params.id, { passwordClosed: await passwordIsClosed(ctx.state.user!) })
      return { location: '/account?tab=security', notice: 'identityUnlinked' }
    },
  }),
]
