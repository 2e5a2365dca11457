import { z } from 'zod'
import { updateIncident } from '../../actions/incidents/updateIncident.js'
import { once } from '../../actions/system/once.js'
import { statuses } from '../../domain/incidents/lifecycle.js'
import { found } from '../../domain/system/invalid.js'
import { limits } from '../../domain/system/limits.js'
import { Incident } from '../../models/incidents/incident.js'
import { incidentPage } from '../../pages/incidents/incidentPage.js'
import { photosOf, rescuePhotos } from '../../pages/incidents/incidentPhotos.js'
import { keepsTyped } from '../../pages/resume.js'
import { presentUpdate } from '../../presenters/incidents/incident.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow, insist } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { idempotent } from '../../web/request/idempotency.js'
import { input, line, oneOf, pathId } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

/** The update request (spec §2). */
const UpdateRequest = z.object({
  body: line('body', limits.text),
  newStatus: oneOf('status', statuses).nullish().default(null),
})

/** Whether a status is asked for at all, whatever it is: who may not ask is told so before the rest is judged. */
const StatusAsked = z.object({ newStatus: z.unknown().optional() })

/** POST /incidents/:id/updates: a comment by anyone signed in, a status by staff (spec §4 rule 2). */
export function updateRoutes(router: AppRouter): void {
  router.post(
    both('/incidents/:id/updates'),
    allow('incident.comment', keepsTyped),
    throttle('writes'),
    body({ photos: true }),
    idempotent(),
    form({ view: 'incidents/show', load: incidentPage, rescue: rescuePhotos }),
    async (ctx) => {
      const { newStatus = null } = input(ctx, StatusAsked)
      if (newStatus !== null) insist(ctx, 'incident.setStatus')
      const incidentId = pathId(ctx)
      const update = input(ctx, UpdateRequest)
      const { actor, viewer } = ctx.state
      const updateId = await once(
        actor,
        async () => updateIncident(actor, incidentId, update, await photosOf(ctx)),
        async (made) => made,
      )
      const made = found((await Incident.timeline(incidentId)).find(({ id }) => id === updateId))
      await respond(ctx, {
        data: presentUpdate(made, viewer),
        location: `/incidents/${incidentId}`,
        notice: 'updated',
        status: 201,
      })
    },
  )
}
