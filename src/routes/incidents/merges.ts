import { z } from 'zod'
import { mergeIncidents } from '../../actions/incidents/mergeIncidents.js'
import { incidentPage } from '../../pages/incidents/incidentPage.js'
import { propertyText } from '../../pages/propertyText.js'
import { MergeJson, presentMerge } from '../../presenters/incidents/incident.js'
import { addressFor, both } from '../../web/request/both.js'
import { id } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'

/** The merge request (spec §2): the survivor, from the form's list (`targetId`) or by number (`otherId`). */
const MergeRequest = z
  .object({ targetId: id('incident').optional(), otherId: id('incident').optional() })
  .refine(({ targetId, otherId }) => targetId !== undefined || otherId !== undefined, {
    path: ['targetId'],
    message: 'incident_required',
    when: () => true,
  })
  .meta({ id: 'MergeRequest' })

/** The incident named by :id is a duplicate of targetId (spec §3). */
export const mergeRoutes = [
  route({
    method: 'post',
    paths: both('/incidents/:id/merge'),
    summary: 'Merges an incident into the one it is a duplicate of.',
    permission: 'incident.merge',
    throttle: 'writes',
    body: MergeRequest,
    answer: MergeJson,
    form: { view: 'incidents/show', name: 'merge', load: incidentPage },
    handle: async ({ ctx, params, body: { targetId, otherId }, actor }) => {
      const entry = (await propertyText()).incident.mergedEntry(params.id)
      const survivor = await mergeIncidents(actor, params.id, (otherId ?? targetId)!, entry)
      const page = `/incidents/${survivor}`
      return { data: presentMerge(survivor, addressFor(ctx, page)), location: page, notice: 'mergedNow' }
    },
  }),
]
