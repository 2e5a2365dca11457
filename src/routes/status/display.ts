import { publicAddress } from '../../config.js'
import { reportCode } from '../../pages/exchange/stickers.js'
import { currentState } from '../../pages/status/statusFastPath.js'
import { DisplayJson, presentDisplay } from '../../presenters/status/display.js'
import { route } from '../../web/route/route.js'

export const displayRoutes = [
  route({
    method: 'get',
    paths: '/display',
    summary: 'The state of the building for a screen in the lobby, which asks again every minute.',
    permission: 'status.read',
    answer: DisplayJson,
    handle: async ({ ctx }) => {
      const address = publicAddress()
      // Search engines should list the status page instead.
      ctx.set('X-Robots-Tag', 'noindex')
      return {
        data: presentDisplay(await currentState(), Date.now()),
        view: 'status/display',
        fragment: 'status/_displayLive',
        extras: { code: reportCode(address), address: address.replace(/^https?:\/\//, '') },
      }
    },
  }),
]
