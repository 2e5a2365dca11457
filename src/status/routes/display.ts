import { z } from 'zod'
import { reportCode } from '../../building/stickers/stickers.js'
import { queryId } from '../../platform/http/request/input.js'
import { route } from '../../platform/http/route/route.js'
import { publicAddress } from '../../platform/ops/config.js'
import { DisplayJson, presentDisplay } from '../json/display.js'
import { currentState } from '../statusFastPath.js'

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
