import { z } from 'zod'
import { reportCode } from '../building/stickers.js'
import { respond } from '../platform/http/answer/respond.js'
import { queryId } from '../platform/http/request/query.js'
import { answeredByHandler } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { publicAddress } from '../platform/process/config.js'
import type { Text } from '../text/index.js'
import { statusAddresses } from './addresses.js'
import { headline } from './headline.js'
import { DisplayJson, presentDisplay } from './present/display.js'
import { StatusJson } from './present/status.js'
import { presentBoard } from './present/statusPage.js'
import { currentState } from './stateCache.js'
import { respondFromCache } from './statusFastPath.js'

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
      const state = await currentState()
      return {
        data: presentDisplay(state, Date.now(), page),
        view: 'status/display',
        fragment: 'status/_displayLive',
        extras: {
          headline: (t: Text) => headline(t, state),
          code: await reportCode(address),
          address: address.replace(/^https?:\/\//, ''),
        },
      }
    },
  }),
]

/** GET / and GET /api/status: the building's live state (spec §4). The page polls `/live`. */
export const statusRoutes = [
  route({
    method: 'get',
    paths: [statusAddresses.page, statusAddresses.live, statusAddresses.json],
    group: 'status',
    otherSites: true,
    indexed: true,
    summary: 'The current status of every asset, with its last 90 days.',
    permission: 'status.read',
    answer: StatusJson,
    handle: async ({ ctx }) => {
      if (await respondFromCache(ctx)) return answeredByHandler
      const state = await currentState()
      await respond(ctx, {
        data: presentBoard(state),
        view: 'status/index',
        extras: { headline: (t: Text) => headline(t, state) },
      })
      return answeredByHandler
    },
  }),
]
