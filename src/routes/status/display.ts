import { publicAddress } from '../../config.js'
import { reportCode } from '../../pages/exchange/stickers.js'
import { currentState } from '../../pages/status/statusFastPath.js'
import { presentDisplay } from '../../presenters/status/display.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'

/** GET /display: the building's state for a screen in the lobby, which nobody touches; it asks for itself every minute. */
export function displayRoutes(router: AppRouter): void {
  router.get('/display', allow('status.read'), async (ctx) => {
    const address = publicAddress()
    // A screen is no page to be found; what it shows is on the status page.
    ctx.set('X-Robots-Tag', 'noindex')
    await respond(ctx, {
      data: presentDisplay(await currentState(), Date.now()),
      view: 'status/display',
      fragment: 'status/_displayLive',
      extras: { code: reportCode(address), address: address.replace(/^https?:\/\//, '') },
    })
  })
}
