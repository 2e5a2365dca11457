import { z } from 'zod'
import { updateIncident } from '../../actions/incidents/updateIncident.js'
import { idempotently } from '../../actions/system/idempotently.js'
import { config } from '../../config.js'
import { statuses } from '../../domain/incidents/lifecycle.js'
import { limits } from '../../domain/system/limits.js'
import { orNotFound } from '../../domain/system/validation.js'
import { Incident } from '../../models/incidents/incident.js'
import { incidentPage } from '../../pages/incidents/incidentPage.js'
import { photosOf, rescuePhotos } from '../../pages/incidents/incidentPhotos.js'
import { keepsTyped } from '../../pages/keptDraft.js'
import { presentUpdate, UpdateJson } from '../../presenters/incidents/incident.js'
import { both } from '../../web/request/both.js'
import { line, oneOf } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'

const targets = config.slaTargets

/** The update request (spec §2). */
const UpdateRequest = z
  .object({
    body: line('body', limits.text),
    newStatus: oneOf('status', statuses).nullish().default(null),
  })
  .meta({ id: 'UpdateRequest' })

export const updateRoutes = [
  route({
    method: 'post',
    paths: both('/incidents/:id/updates'),
    summary: 'Comments on an incident; staff may set its status as well.',
    permission: 'incident.comment',
    needs: { newStatus: 'incident.setStatus' },
    keep: keepsTyped,
    throttle: 'writes',
    photos: true,
    idempotent: true,
    body: UpdateRequest,
    answer: { 201: UpdateJson },
    form: { view: 'incidents/show', name: 'comment', load: incidentPage, rescue: rescuePhotos },
    handle: async ({ ctx, params: { id: incidentId }, body, actor, viewer }) => {
      const updateId = await idempotently(
        actor,
        async () => updateIncident(actor, incidentId, { ...body, targets }, await photosOf(ctx)),
        async (made) => made,
      )
      const made = orNotFound((await Incident.timeline(incidentId)).find(({ id }) => id === updateId))
      return {
        data: presentUpdate(made, viewer),
        location: `/incidents/${incidentId}`,
        notice: 'updated',
      }
    },
  }),
]
