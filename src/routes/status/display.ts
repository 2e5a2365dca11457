import { z } from 'zod'
import { publicAddress } from '../../config.js'
import { reportCode } from '../../pages/exchange/stickers.js'
import { currentState } from '../../pages/status/statusFastPath.js'
import { DisplayJson, presentDisplay } from '../../presenters/status/display.js'
import { queryId } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'

/** Which of its pages the screen shows, from 1; after the last comes the first. */
const DisplayQuery = z.object({ page: queryId.default(1) })

export const displayRoutes = [
  route({
    method: 'get',
    paths: '/display',
    summary: 'The status of the building for a lobby screen, which changes pages and updates automatically.',
    permission: 'status.read',
    query: DisplayQuery,
    answer: DisplayJson,
    handle: async ({ ctx, query: { page } }) => {
      const address = publicAddress()
      // Search engines should list the status page instead.
      ctx.set('X-Robots-Tag', 'noindex')
      return {
        data: presentDisplay(await currentState(), Date.now(), page),
        view: 'status/display',
        fragment: 'status/_displayLive',
        extras: { code: reportCode(address), address: address.replace(/^https?:\/\//, '') },
      }
    },
  }),
]
