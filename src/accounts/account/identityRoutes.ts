import { z } from 'zod'
import { Problem } from '../../platform/http/problem.js'
import { noContent, page } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { passwordIsClosed } from '../signIn/credentials.js'
import { requireProvider } from '../signIn/providerSignIn.js'
import { linkIdentity, startLinking, unlinkIdentity } from '../singleSignOn/identities.js'
import { offeredLink } from '../singleSignOn/linkConfirmation.js'
import { accountPage } from './accountPage.js'

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
