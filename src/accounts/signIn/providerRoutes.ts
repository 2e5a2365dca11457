import { z } from 'zod'
import { redirectToProvider } from '../../platform/http/answer/redirect.js'
import type { Context } from '../../platform/http/context.js'
import { localPath } from '../../platform/http/paths.js'
import { answeredByHandler, page } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { freshMinutes } from '../../vocabulary/people/actor.js'
import { type AttemptPurpose, callbackPath } from '../singleSignOn/providerAttempt.js'
import { authorizationUrl, handleCallback, requireProvider } from './providerSignIn.js'
import { ReturnQuery } from './returnTarget.js'

const parameter = z.string('not_acceptable').max(4096, 'not_acceptable').optional()
/**
 * The parameters of a provider's callback (OpenID Connect Core 3.1.2.5, RFC 9207). Its own texts
 * are not shown.
 */
const Returned = z.object({ code: parameter, state: parameter, iss: parameter, error: parameter })

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
    query: ReturnQuery.pick({ next: true }),
    answer: page,
    handle: ({ ctx, query }) => goToProvider(ctx, { kind: 'signIn', next: localPath(query.next) }),
  }),

  route({
    method: 'get',
    paths: '/sign-in/oidc/again',
    summary: 'Redirects to the identity provider to sign in again.',
    permission: 'account.manage',
    answer: page,
    handle: ({ ctx }) =>
      goToProvider(ctx, { kind: 'signInAgain', next: '/sign-in/again', userId: ctx.state.user!.id }),
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
      return goToProvider(ctx, { kind: 'link', next: '/account?tab=security', userId: ctx.state.user!.id })
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

async function goToProvider(ctx: Context, purpose: AttemptPurpose): Promise<typeof answeredByHandler> {
  redirectToProvider(ctx, await authorizationUrl(ctx, purpose))
  return answeredByHandler
}
