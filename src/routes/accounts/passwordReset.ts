import { z } from 'zod'
import { requestReset } from '../../actions/accounts/accountLinks.js'
import { User } from '../../models/accounts/user.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { form } from '../../web/request/form.js'
import { input, line } from '../../web/request/input.js'
import { clientNetwork, countOrRefuse, resetLimit, resetsLimit } from '../../web/request/throttle.js'
import { accountKey } from '../../web/session/guarded.js'
import { addPasswordLink } from './passwordLink.js'

const ResetRequest = z.object({ email: line('email', 320) })

/** Asking for a link for a new password, which is answered alike whoever has an account, and the link (decision 1.1). */
export function passwordResetRoutes(router: AppRouter): void {
  router.get('/forgot-password', allow('session.create'), async (ctx) => {
    await respond(ctx, { view: 'accounts/forgotPassword' })
  })

  router.post(
    ['/forgot-password', '/api/auth/forgot-password'],
    allow('session.create'),
    body(),
    form({ view: 'accounts/forgotPassword', load: async () => ({}) }),
    async (ctx) => {
      const { email } = input(ctx, ResetRequest)
      const network = clientNetwork(ctx)
      const { folded, user } = await User.byAddress(email)
      await countOrRefuse(resetsLimit, network)
      await countOrRefuse(
        resetLimit,
        `${accountKey(user ? { userId: user.id } : { address: folded })} ${network}`,
      )
      await requestReset(ctx.state.actor, email)
      await respond(ctx, { data: { requested: true }, location: '/sign-in', notice: 'linkSent' })
    },
  )

  addPasswordLink(router, 'reset-password', 'reset')
}
