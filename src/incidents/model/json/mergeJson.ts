import { z } from 'zod'
import { rowId, shape, wholeNumber } from '../../../platform/http/json.js'
import { ConsequenceJson } from '../../../status/consequence.js'

/** The answer to a merge (decision 2.5). */
export const MergeJson = shape('Merge', { mergedInto: rowId, redirectTo: z.string() })

const incidentReference = { id: rowId, title: z.string() }

/**
 * What merging would do; nothing is stored. `brings`: duplicates of a duplicate, which move with
 * it; `newFollowers`: people who would follow the survivor and do not yet; `becomesDowntime`: so
 * would the survivor.
 */
export const MergePreviewJson = shape('MergePreview', {
  survivor: z.strictObject(incidentReference),
  duplicates: z.array(z.strictObject({ ...incidentReference, brings: z.array(rowId) })),
  newFollowers: wholeNumber,
  becomesDowntime: z.boolean(),
  assets: z.array(ConsequenceJson),
})

export type MergePreview = z.output<typeof MergePreviewJson>
