import { z } from 'zod'
import { Problem } from '../../platform/http/answer/problem.js'
import { noContent, page } from '../../platform/http/route/answer.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { accountPage } from '../account/routes.js'
import { offeredLink } from '../links/linkOffer.js'
import { passwordIsClosed } from '../signIn/credentials.js'
import { linkIdentity, startLinking, unlinkIdentity } from './identities.js'
import { requireProvider } from './page.js'

const permission = 'account.manage'
const throttle = 'writes'
const form = { view: 'accounts/account', name: 'identities', load: accountPage, conflicts: true }
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
    method: 'post',
    paths: '/account/identities',
    summary: 'Starts linking your account to an identity.',
    permission,
    throttle,
    body: emptyBody,
    answer: noContent,
    form,
    handle: async ({ actor }) => {
      requireProvider()
      await startLinking(actor)
      return { location: '/account/identities/new' }
    },
  }),

  route({
    method: 'post',
    paths: '/account/identities/confirmation',
    summary: 'Links your account to the identity named by the provider.',
    permission,
    throttle,
    body: Confirmation,
    answer: noContent,
    form,
    handle: async ({ ctx, body, actor }) => {
      requireProvider()
      const claims = offeredLink(ctx, body.offer)
      if (!claims) throw new Problem(409, 'sign_in_over')
      await linkIdentity(actor, claims)
      return { location: '/account?tab=security', notice: 'identityLinked' }
    },
  }),

  ...routePair({
    method: 'delete',
    paths: '/api/account/identities/:id',
    fromForm: '/account/identities/:id/unlink',
    summary: 'Removes the link between an identity and your account.',
    permission,
    throttle,
    body: emptyBody,
    answer: noContent,
    form,
    handle: async ({ ctx, params, actor }) => {
      await unlinkIdentity(actor, params.id, { passwordClosed: await passwordIsClosed(ctx.state.user!) })
      return { location: '/account?tab=security', notice: 'identityUnlinked' }
    },
  }),
]
