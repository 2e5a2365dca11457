import { z } from 'zod'
import { once } from '../actions/once.js'
import { updateIncident } from '../actions/updateIncident.js'
import { found } from '../domain/invalid.js'
import { statuses } from '../domain/lifecycle.js'
import { limits } from '../domain/limits.js'
import { Incident } from '../models/incident.js'
import { presentUpdate } from '../presenters/incident.js'
import { allow, insist } from '../web/allow.js'
import { body } from '../web/body.js'
import { both } from '../web/both.js'
import type { AppRouter } from '../web/context.js'
import { form } from '../web/form.js'
import { idempotent } from '../web/idempotency.js'
import { input, line, oneOf, pathId } from '../web/input.js'
import { respond } from '../web/respond.js'
import { throttle } from '../web/throttle.js'
import { incidentPage } from './incidentPage.js'
import { photosOf, rescuePhotos } from './incidentPhotos.js'
import { keepsTyped } from './resume.js'

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
