import { z } from 'zod'
import { rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { ConsequenceJson, presentConsequence } from '../../status/consequence.js'
import type { MergePreview } from './queries.js'

const named = { id: rowId, title: z.string() }

/**
 * What merging would do; nothing is stored. `brings`: duplicates of a duplicate, which move with
 * it; `newFollowers`: people who would follow the survivor and do not yet; `becomesDowntime`: so
 * would the survivor.
 */
export const MergePreviewJson = shape('MergePreview', {
  survivor: z.strictObject(named),
  duplicates: z.array(z.strictObject({ ...named, brings: z.array(rowId) })),
  newFollowers: wholeNumber,
  becomesDowntime: z.boolean(),
  assets: z.array(ConsequenceJson),
})

export function presentMergePreview(preview: MergePreview): z.output<typeof MergePreviewJson> {
  return { ...preview, assets: preview.assets.map(presentConsequence) }
}
