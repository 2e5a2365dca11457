import { reportCode } from '../actions/reportCode.js'
import { publicAddress } from '../config.js'
import { presentDisplay } from '../presenters/display.js'
import { allow } from '../web/allow.js'
import type { AppRouter } from '../web/context.js'
import { respond } from '../web/respond.js'
import { currentState } from './status.js'

/** GET /display: the building's state for a screen in the lobby, which nobody touches; it asks for itself every minute. */
export function displayRoutes(router: AppRouter): void {
  router.get('/display', allow('status.read'), async (ctx) => {
    const address = publicAddress()
    // A screen is no page to be found; what it shows is on the status page.
    ctx.set('X-Robots-Tag', 'noindex')
    await respond(ctx, {
      data: presentDisplay(await currentState(), Date.now()),
      view: 'display/show',
      fragment: 'display/_live',
      extras: { code: reportCode(address), address: address.replace(/^https?:\/\//, '') },
    })
  })
}
