import { presentMergePreview } from './json.js'
import type { MergePreview } from './queries.js'

/**
 * The page that shows what merging would do and asks: its form sends `fields` to the step that
 * merges.
 */
export function mergeConfirmation(
  preview: MergePreview,
  form: { action: string; fields: [name: string, value: string | number][]; back: string },
) {
  return { data: presentMergePreview(preview), view: 'incidents/merge', extras: form }
}
