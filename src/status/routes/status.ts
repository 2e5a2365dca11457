import { respond } from '../../platform/http/answer/respond.js'
import { answeredByHandler } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { StatusJson } from '../json/status.js'
import { presentStatusPage } from '../json/statusPage.js'
import { currentState, respondFromCache } from '../statusFastPath.js'

/**
 * GET / and GET /api/status: the building's live state (spec §4). `/live` is the part that the page polls.
 */
export const statusRoutes = [
  route({
    method: 'get',
    paths: ['/', '/live', '/api/status'],
    summary: 'The current status of every asset, with its last 90 days.',
    permission: 'status.read',
    answer: StatusJson,
    handle: async ({ ctx }) => {
      if (!(await respondFromCache(ctx)))
        await respond(ctx, { data: presentStatusPage(await currentState()), view: 'status/index' })
      return answeredByHandler
    },
  }),
]
