import { currentState, respondFromCache } from '../../pages/status/statusFastPath.js'
import { StatusJson } from '../../presenters/status/status.js'
import { presentStatusPage } from '../../presenters/status/statusPage.js'
import { respond } from '../../web/answer/respond.js'
import { answered } from '../../web/route/answer.js'
import { route } from '../../web/route/route.js'

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
      return answered
    },
  }),
]
