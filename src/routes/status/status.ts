import { answerKept, currentState } from '../../pages/status/statusFastPath.js'
import { presentStatusPage } from '../../presenters/status/statusPage.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'

/** GET / and GET /api/status: the building's live state (spec §4). `/live` is the part of the page that is polled. */
export function statusRoutes(router: AppRouter): void {
  router.get(['/', '/live', '/api/status'], allow('status.read'), async (ctx) => {
    if (await answerKept(ctx)) return
    await respond(ctx, { data: presentStatusPage(await currentState()), view: 'status/index' })
  })
}
