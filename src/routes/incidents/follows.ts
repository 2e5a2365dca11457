import { followIncident, unfollowIncident } from '../../actions/incidents/followIncident.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { pathId } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

/** Following an incident and letting go of it (decision 6.4); forms, which only know POST, let go at /unfollow. */
export function followRoutes(router: AppRouter): void {
  router.post(
    both('/incidents/:id/follow'),
    allow('incident.follow'),
    throttle('writes'),
    body(),
    async (ctx) => {
      const incidentId = pathId(ctx)
      await followIncident(ctx.state.actor, incidentId)
      await respond(ctx, {
        data: { following: true },
        location: `/incidents/${incidentId}`,
        notice: 'following',
      })
    },
  )

  router.delete(
    '/api/incidents/:id/follow',
    allow('incident.follow'),
    throttle('writes'),
    body(),
    async (ctx) => {
      await unfollowIncident(ctx.state.actor, pathId(ctx))
      await respond(ctx, {})
    },
  )

  router.post(
    '/incidents/:id/unfollow',
    allow('incident.follow'),
    throttle('writes'),
    body(),
    async (ctx) => {
      const incidentId = pathId(ctx)
      await unfollowIncident(ctx.state.actor, incidentId)
      await respond(ctx, { location: `/incidents/${incidentId}`, notice: 'unfollowed' })
    },
  )
}
