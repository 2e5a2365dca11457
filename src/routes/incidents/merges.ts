import { z } from 'zod'
import { mergeIncidents } from '../../actions/incidents/mergeIncidents.js'
import { incidentPage } from '../../pages/incidents/incidentPage.js'
import { houseText } from '../../pages/propertyText.js'
import { presentMerge } from '../../presenters/incidents/incident.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { addressFor, both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { id, input, pathId } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

/** The merge request (spec §2): the incident that survives. A form may name it by number when it is not on its list. */
const MergeRequest = z
  .object({ targetId: id('incident').optional(), otherId: id('incident').optional() })
  .refine(({ targetId, otherId }) => targetId !== undefined || otherId !== undefined, {
    path: ['targetId'],
    message: 'incident_required',
    when: () => true,
  })

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
      const { targetId, otherId } = input(ctx, MergeRequest)
      const entry = (await houseText()).incident.mergedEntry(duplicateId)
      const survivor = await mergeIncidents(ctx.state.actor, duplicateId, (otherId ?? targetId)!, entry)
      const page = `/incidents/${survivor}`
      await respond(ctx, {
        data: presentMerge(survivor, addressFor(ctx, page)),
        location: page,
        notice: 'mergedNow',
      })
    },
  )
}
