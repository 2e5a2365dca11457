import { z } from 'zod'
import { mergeIncidents } from '../actions/mergeIncidents.js'
import { presentMerge } from '../presenters/incident.js'
import { allow } from '../web/allow.js'
import { body } from '../web/body.js'
import { addressFor, both } from '../web/both.js'
import type { AppRouter } from '../web/context.js'
import { form } from '../web/form.js'
import { id, input, pathId } from '../web/input.js'
import { respond } from '../web/respond.js'
import { throttle } from '../web/throttle.js'
import { incidentPage } from './incidentPage.js'

/** The merge request (spec §2): the incident that survives. */
const MergeRequest = z.object({ targetId: id('incident') })

/** POST /incidents/:id/merge: the incident named by :id is a duplicate of targetId (spec §3). */
export function mergeRoutes(router: AppRouter): void {
  router.post(
    both('/incidents/:id/merge'),
    allow('incident.merge'),
    throttle('writes'),
    body(),
    form({ view: 'incidents/show', load: incidentPage }),
    async (ctx) => {
      const duplicateId = pathId(ctx)
      const { targetId } = input(ctx, MergeRequest)
      const { actor, text } = ctx.state
      const survivor = await mergeIncidents(
        actor,
        duplicateId,
        targetId,
        text.incident.mergedEntry(duplicateId),
      )
      const page = `/incidents/${survivor}`
      await respond(ctx, {
        data: presentMerge(survivor, addressFor(ctx, page)),
        location: page,
        notice: 'mergedNow',
      })
    },
  )
}
