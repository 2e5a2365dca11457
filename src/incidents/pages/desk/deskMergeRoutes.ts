import { propertyText } from '../../../building/building.js'
import type { Context } from '../../../platform/http/context.js'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { both } from '../../../platform/http/paths.js'
import { input } from '../../../platform/http/request/input.js'
import { page } from '../../../platform/http/route/answerContent.js'
import { route } from '../../../platform/http/route/route.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { type Severity, severities } from '../../../vocabulary/severity.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import { inSequence } from '../../acts/bulkActs.js'
import { mergeIncidents } from '../../acts/merge/mergeIncidents.js'
import { previewMerges } from '../../acts/merge/previewMerges.js'
import {
  type ChosenMerge,
  chosenMerge,
  previewChosenMerge,
  setSurvivorSeverity,
} from '../../acts/merge/survivorChoice.js'
import { likelySurvivorOf } from '../../model/duplicates.js'
import { MergePreviewJson } from '../../model/json/mergeJson.js'
import { deskForm } from './desk.js'
import {
  deskPlaceOrStart,
  MergedIds,
  MergePreviewRequest,
  MergeSelectedRequest,
  selectedIds,
} from './deskRequests.js'
import { backAfterMerge, type DeskPlace, deskUrl } from './deskUrl.js'

/** Merging the reports that are selected on the desk. */
export const deskMergeRoutes = [
  route({
    method: 'post',
    paths: both('/admin/merge/preview'),
    group: 'desk',
    summary: 'Previews merging incidents into the most severe, then oldest of them. Nothing is saved.',
    permission: 'incident.merge',
    body: MergePreviewRequest,
    answer: MergePreviewJson,
    form: deskForm,
    handle: async ({ body, actor }) => {
      const { tab, skip } = body
      const [incidentId, ...others] = new Set(selectedIds(body))
      return others.length > 0
        ? survivorQuestion(actor, await chosenMerge([incidentId!, ...others], {}), { tab, skip })
        : duplicateQuestion(actor, incidentId!, { tab, skip })
    },
  }),

  route({
    method: 'post',
    paths: '/admin/merge',
    summary: 'Merges the selected incidents into the one that stays.',
    permission: 'incident.merge',
    throttle: 'writes',
    // Of ids that make no merge there is no page to show a refused form on: it is the desk's then.
    subject: async ({ ctx }) => {
      if (!(await makeMerge(ctx))) ctx.state.refusal.form = deskForm
    },
    body: MergeSelectedRequest,
    answer: page,
    form: {
      view: 'incidents/merge',
      name: 'merge',
      load: async (ctx) => {
        const merge = await chosenMerge(input(ctx, MergedIds).ids, {})
        const place = deskPlaceOrStart.parse(enteredFields(ctx))
        const { data, extras } = await survivorQuestion(ctx.state.actor, merge, place)
        return { data, ...extras }
      },
    },
    handle: async ({ body, actor }) => {
      const { ids, survivorId, otherId, severity, tab, skip } = body
      const merge = await chosenMerge(ids, { survivorId, otherId, severity })
      if (body.preview || !isShown(merge, body)) {
        const { view, data, extras } = await survivorQuestion(actor, merge, { tab, skip }, otherId)
        return { view, extras: { ...extras, data } }
      }
      const { mergedEntry } = (await propertyText()).merging
      const result = await inSequence(merge.duplicateIds, (duplicateId) =>
        mergeIncidents(actor, duplicateId, merge.survivor.id, mergedEntry(duplicateId)),
      )
      if (result.done.length > 0) await setSurvivorSeverity(actor, merge)
      return backAfterMerge(result, { tab, skip })
    },
  }),
]

/** Whether the ids of a sent form make a merge, whichever of them stays. */
async function makeMerge(ctx: Context): Promise<boolean> {
  try {
    await chosenMerge(input(ctx, MergedIds).ids, {})
    return true
  } catch (error) {
    if (error instanceof ValidationFailed) return false
    throw error
  }
}

/** Whether the page that a form was on showed what this merge would do. */
function isShown(
  { survivor, severity }: ChosenMerge,
  form: { shown: number; shownSeverity?: Severity | undefined },
): boolean {
  return survivor.id === form.shown && severity === (form.shownSeverity ?? null)
}

/** The page that asks which of the selected reports stays, and shows what merging would do. */
async function survivorQuestion(actor: Actor, merge: ChosenMerge, place: DeskPlace, otherId?: number) {
  const preview = await previewChosenMerge(actor, merge)
  const fields: [string, string | number][] = [...placeFields(place), ['shown', preview.survivor.id]]
  if (merge.severity) fields.push(['shownSeverity', merge.severity])
  for (const { id } of merge.candidates) fields.push(['ids', id])
  const form = { action: '/admin/merge', fields, back: deskUrl(place) }
  return { data: preview, view: 'incidents/merge', extras: { ...form, choice: merge, otherId, severities } }
}

/** The page that shows what merging a report into the one that it most likely repeats would do. */
async function duplicateQuestion(actor: Actor, duplicateId: number, place: DeskPlace) {
  const survivorId = await likelySurvivorOf(duplicateId)
  if (survivorId === null) throw new ValidationFailed({ ids: ['merge_no_survivor'] })
  const preview = await previewMerges(actor, [duplicateId], survivorId)
  const fields = [['duplicateIds[]', duplicateId], ['desk', 'true'], ...placeFields(place)]
  const form = { action: `/incidents/${survivorId}/duplicates`, fields, back: deskUrl(place) }
  return { data: preview, view: 'incidents/merge', extras: form }
}

/** The page of the desk that a form was on, as hidden fields. */
function placeFields(place: DeskPlace): [string, string][] {
  return Object.entries(place).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
}
