import { z } from 'zod'
import { shape } from '../../platform/http/json.js'
import { line, typedIn } from '../../platform/http/request/input.js'
import { page } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { countLinkRequest } from '../../platform/http/session/authenticate.js'
import { User } from '../../platform/http/session/user.js'
import { returnTarget } from '../signIn/signingIn.js'
import { requestReset } from './accountLinks.js'
import { passwordLinkRoutes } from './passwordLinkRoutes.js'

const carried = z.string('not_text').optional()
/** For pages, which do without what they cannot read. */
const GoingOn = z.object({ next: carried.catch(undefined), typed: carried.catch(undefined) })
const ResetRequest = z
  .object({ email: line('email', 320), next: carried, typed: carried })
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
    query: GoingOn,
    answer: page,
    handle: ({ query }) => ({ view: 'accounts/forgotPassword', extras: { goesOn: returnTarget(query) } }),
  }),

  route({
    method: 'post',
    paths: ['/forgot-password', '/api/auth/forgot-password'],
    summary: 'Emails a password reset link if the account exists.',
    permission: 'session.create',
    body: ResetRequest,
    answer: shape('ResetRequested', { requested: z.boolean() }),
    form: {
      view: 'accounts/forgotPassword',
      load: async (ctx) => ({ goesOn: returnTarget(GoingOn.parse(typedIn(ctx))) }),
    },
    handle: async ({ ctx, body: { email, ...given }, actor }) => {
      const { folded, user } = await User.byAddress(email)
      await countLinkRequest(ctx, user ? { userId: user.id } : { address: folded })
      await requestReset(actor, email)
      const query = new URLSearchParams(returnTarget(given)).toString()
      return { data: { requested: true }, location: `/sign-in${query && `?${query}`}`, notice: 'linkSent' }
    },
  }),

  ...passwordLinkRoutes(['/reset-password/:token', '/api/auth/reset-password/:token'], 'reset'),
]
