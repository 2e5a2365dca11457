import { z } from 'zod'
import { propertyText } from '../../building/building.js'
import { addressFor, both, returnPath, withQuery } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { route } from '../../platform/http/route/route.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { flag, id } from '../../vocabulary/inputRules.js'
import { bulkNotice, inSequence } from '../acts/bulkActs.js'
import { mergeIncidents } from '../acts/merge/mergeIncidents.js'
import { previewMerges } from '../acts/merge/previewMerges.js'
import { unmergeIncident } from '../acts/merge/unmergeIncident.js'
import { BulkResultJson } from '../model/json/bulkResultJson.js'
import { IncidentDetailJson } from '../model/json/incidentDetailJson.js'
import { MergeJson, type MergePreview, MergePreviewJson } from '../model/json/mergeJson.js'
import { chosenIds, deskPlace } from './desk/deskRequests.js'
import { backAfterMerge } from './desk/deskUrl.js'
import { incidentForms } from './forms.js'
import { detailOf } from './incidentPage.js'

/**
 * The merge request (spec §2): the survivor, from the form's list (`targetId`) or by number
 * (`otherId`).
 */
const MergeRequest = z
  .object({ targetId: id('incident').optional(), otherId: id('incident').optional() })
  .refine(({ targetId, otherId }) => targetId !== undefined || otherId !== undefined, {
    path: ['targetId'],
    message: 'incident_required',
    when: () => true,
  })
  .meta({ id: 'MergeRequest', required: ['targetId'] })

/**
 * The selected duplicates of the incident in the address. `desk`: the form was on the desk, where
 * the answer leads back.
 */
const DuplicatesRequest = z
  .object({
    duplicateIds: chosenIds.min(1, 'ids_required'),
    desk: flag('desk').optional(),
    ...deskPlace,
  })
  .meta({ id: 'DuplicatesRequest' })

/**
 * Merging the incident in the address into another, or others into it, with a preview, and undoing
 * that (spec §3).
 */
export const mergeRoutes = [
  route({
    method: 'post',
    paths: both('/incidents/:id/merge/preview'),
    group: 'incidents',
    summary: 'Previews merging an incident into another. Nothing is saved.',
    permission: 'incident.merge',
    body: MergeRequest,
    answer: MergePreviewJson,
    form: incidentForms.merge,
    handle: async ({ params: { id: duplicateId }, body: { targetId, otherId }, actor }) => {
      const preview = await previewMerges(actor, [duplicateId], (otherId ?? targetId)!)
      return confirmation(preview, duplicateId, 'merge', [['targetId', preview.survivor.id]])
    },
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/merge'),
    group: 'incidents',
    summary: 'Merges an incident into another.',
    permission: 'incident.merge',
    throttle: 'writes',
    body: MergeRequest,
    answer: MergeJson,
    form: incidentForms.merge,
    handle: async ({ ctx, params, body: { targetId, otherId }, actor }) => {
      const entry = (await propertyText()).merging.mergedEntry(params.id)
      const survivor = await mergeIncidents(actor, params.id, (otherId ?? targetId)!, entry)
      const page = `/incidents/${survivor}`
      return {
        data: { mergedInto: survivor, redirectTo: addressFor(ctx, page) },
        location: page,
        notice: 'mergedNow',
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/duplicates/preview'),
    group: 'incidents',
    summary: 'Previews merging duplicates into an incident. Nothing is saved.',
    permission: 'incident.merge',
    body: DuplicatesRequest,
    answer: MergePreviewJson,
    form: incidentForms.duplicates,
    handle: async ({ params, body: { duplicateIds }, actor }) => {
      const preview = await previewMerges(actor, duplicateIds, params.id)
      const fields = duplicateIds.map((duplicateId): [string, number] => ['duplicateIds[]', duplicateId])
      return confirmation(preview, params.id, 'duplicates', fields)
    },
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/duplicates'),
    group: 'incidents',
    summary: 'Merges duplicates into an incident.',
    permission: 'incident.merge',
    throttle: 'writes',
    body: DuplicatesRequest,
    answer: BulkResultJson,
    form: incidentForms.duplicates,
    handle: async ({ params, body: { duplicateIds, desk, ...place }, actor }) => {
      const { mergedEntry } = (await propertyText()).merging
      const data = await inSequence([...new Set(duplicateIds)], (id) =>
        mergeIncidents(actor, id, params.id, mergedEntry(id)),
      )
      if (desk) return { data, ...backAfterMerge(data, place) }
      return { data, location: `/incidents/${params.id}`, notice: bulkNotice(data, 'mergedNow') }
    },
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/unmerge'),
    group: 'incidents',
    summary: 'Undoes a merge within 10 minutes.',
    permission: 'incident.merge',
    throttle: 'writes',
    body: z.object({ returnTo: z.string('not_text').optional() }),
    answer: IncidentDetailJson,
    handle: async ({ ctx, params: { id }, body: { returnTo }, actor, viewer }) => {
      try {
        await unmergeIncident(actor, id, (await propertyText()).merging.unmergedEntry(id))
      } catch (error) {
        const isUndone = error instanceof Conflict && error.code === 'unmerge_not_merged'
        if (!isUndone || representationOf(ctx) === 'json') throw error
        const back = returnPath(returnTo, `/incidents/${id}`)
        return { location: withQuery(back, { of: id }), notice: 'tap-separate' }
      }
      const data = () => detailOf(id, viewer)
      if (!returnTo) return { data, location: `/incidents/${id}`, notice: 'unmerged' }
      const back = returnPath(returnTo, `/incidents/${id}`)
      return { data, location: withQuery(back, { of: id }), notice: 'tap-unmerge' }
    },
  }),
]

/** The page that asks, with a form for a step of the incident in the address. */
function confirmation(
  preview: MergePreview,
  incidentId: number,
  step: 'merge' | 'duplicates',
  fields: [name: string, value: number][],
) {
  const back = `/incidents/${incidentId}`
  return { data: preview, view: 'incidents/merge', extras: { action: `${back}/${step}`, fields, back } }
}
