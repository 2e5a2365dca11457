import { z } from 'zod'
import { requestReset } from '../../actions/accounts/accountLinks.js'
import { User } from '../../models/accounts/user.js'
import { goingOn } from '../../pages/accounts/signingIn.js'
import { shape } from '../../presenters/json.js'
import { line, typedIn } from '../../web/request/input.js'
import { page } from '../../web/route/answer.js'
import { route } from '../../web/route/route.js'
import { countLinkRequest } from '../../web/session/guarded.js'
import { passwordLinkRoutes } from './passwordLink.js'

const carried = z.string('not_text').optional()
/** For pages, which do without what they cannot read. */
const GoingOn = z.object({ next: carried.catch(undefined), typed: carried.catch(undefined) })
const ResetRequest = z
  .object({ email: line('email', 320), next: carried, typed: carried })
  .meta({ id: 'ResetRequest' })

/**
 * The request for a reset link, answered alike with and without such an account, and the link (decision 1.1).
 */
export const passwordResetRoutes = [
  route({
    method: 'get',
    paths: '/forgot-password',
    summary: 'The form to request a password reset.',
    permission: 'session.create',
    query: GoingOn,
    answer: page,
    handle: ({ query }) => ({ view: 'accounts/forgotPassword', extras: { goesOn: goingOn(query) } }),
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
      load: async (ctx) => ({ goesOn: goingOn(GoingOn.parse(typedIn(ctx))) }),
    },
    handle: async ({ ctx, body: { email, ...given }, actor }) => {
      const { folded, user } = await User.byAddress(email)
      await countLinkRequest(ctx, user ? { userId: user.id } : { address: folded })
      await requestReset(actor, email)
      const query = new URLSearchParams(goingOn(given)).toString()
      return { data: { requested: true }, location: `/sign-in${query && `?${query}`}`, notice: 'linkSent' }
    },
  }),

  ...passwordLinkRoutes(['/reset-password/:token', '/api/auth/reset-password/:token'], 'reset'),
]
