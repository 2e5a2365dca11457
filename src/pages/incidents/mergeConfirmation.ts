import type { MergePreview } from '../../models/incidents/merge.js'
import { presentMergePreview } from '../../presenters/incidents/mergePreview.js'

/** The page that shows what merging would do and asks: its form sends `fields` to the step that merges. */
export function mergeConfirmation(
  preview: MergePreview,
  form: { action: string; fields: [name: string, value: string | number][]; back: string },
) {
  return { data: presentMergePreview(preview), view: 'incidents/merge', extras: form }
}
