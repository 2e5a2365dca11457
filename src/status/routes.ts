import { respond } from '../platform/http/answer/respond.js'
import { answeredByHandler } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import type { Text } from '../text/index.js'
import { statusAddresses } from './addresses.js'
import { headline } from './headline.js'
import { StatusJson } from './present/status.js'
import { presentBoard } from './present/statusPage.js'
import { currentState } from './stateCache.js'
import { respondFromCache } from './statusFastPath.js'

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
