import type { Actor } from '../../../vocabulary/people/actor.js'
import { severities } from '../../../vocabulary/severity.js'
import type { MergePreview } from '../../acts/merge/previewMerges.js'
import { type ChosenMerge, previewChosenMerge } from '../../acts/merge/survivorChoice.js'
import { type DeskView, deskUrl } from './deskRequests.js'

/** What the page of a merge needs besides what it would do: its form sends `fields` to `action`. */
type MergeForm = { action: string; fields: [name: string, value: string | number][]; back: string }

/** The page that shows what merging would do and asks. */
export function mergeConfirmation<Form extends MergeForm>(preview: MergePreview, form: Form) {
  return { data: preview, view: 'incidents/merge', extras: form }
}

/** The page that asks which of the selected reports stays, and shows what merging would do. */
export async function mergeQuestion(
  actor: Actor,
  merge: ChosenMerge,
  place: Pick<DeskView, 'tab' | 'skip'>,
  otherId?: number,
) {
  const preview = await previewChosenMerge(actor, merge)
  const fields: [string, string | number][] = [...placeFields(place), ['shown', preview.survivor.id]]
  if (merge.severity) fields.push(['shownSeverity', merge.severity])
  for (const { id } of merge.candidates) fields.push(['ids', id])
  return mergeConfirmation(preview, {
    action: '/admin/merge',
    fields,
    back: deskUrl(place),
    choice: merge,
    otherId,
    severities,
  })
}

/** The page of the desk that a form was on, as hidden fields. */
export function placeFields(place: Pick<DeskView, 'tab' | 'skip'>): [string, string][] {
  return Object.entries(place).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
}
