import { z } from 'zod'
import { type Change, change } from '../../../platform/db/change.js'
import { rowId, shape, wholeNumber } from '../../../platform/http/json.js'
import { ConsequenceJson, consequencesOf } from '../../../status/consequence.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import type { Severity } from '../../../vocabulary/severity.js'
import { orNotFound } from '../../../vocabulary/validation.js'
import { Incident } from '../../model/incident.js'
import { applyPatch } from '../applyPatch.js'
import { retryWhileFamilyChanges } from './mergeFamily.js'
import { mergeIn } from './mergeIncidents.js'

const reference = { id: rowId, title: z.string() }

/**
 * What merging would do; nothing is stored. `brings`: duplicates of a duplicate, which move with
 * it; `newFollowers`: people who would follow the survivor and do not yet; `becomesDowntime`: so
 * would the survivor.
 */
export const MergePreviewJson = shape('MergePreview', {
  survivor: z.strictObject(reference),
  duplicates: z.array(z.strictObject({ ...reference, brings: z.array(rowId) })),
  newFollowers: wholeNumber,
  becomesDowntime: z.boolean(),
  assets: z.array(ConsequenceJson),
})
export type MergePreview = z.output<typeof MergePreviewJson>

/**
 * Merges duplicates into one incident and takes it all back: what it shows is what the merge will
 * do (decision 2.5). `severity`: what the survivor gets besides. Throws as `mergeIncidents` does.
 */
export async function previewMerges(
  actor: Actor,
  duplicateIds: readonly number[],
  targetId: number,
  severity: Severity | null = null,
): Promise<MergePreview> {
  const merge = async (c: Change): Promise<MergePreview> => {
    c.noop()
    const concerned = await c.query<{ id: number }>(
      `select distinct asset_id as id from incidents
       where (id = any ($1) or id = $2 or id = (select merged_into_id from incidents where id = $2))
         and asset_id is not null
       order by 1`,
      [duplicateIds, targetId],
    )
    const assetIds = concerned.map(({ id }) => id)
    const { result: merges, consequences } = await consequencesOf(c.query, assetIds, async () => {
      const merges = []
      for (const id of new Set(duplicateIds)) merges.push(await mergeIn(c, id, targetId, '-'))
      const { survivor } = merges[0]!
      if (severity) await applyPatch(c, orNotFound(await Incident.locked(c.trx, survivor.id)), { severity })
      return merges
    })
    const { survivor } = merges[0]!
    const [followers] = await c.query<{ more: number }>(
      'select count(*)::integer as more from followers where incident_id = $1 and by_merge and created_at = $2',
      [survivor.id, c.now],
    )
    return {
      survivor: { id: survivor.id, title: survivor.title },
      duplicates: merges.map(({ duplicate: { id, title }, ownDuplicates }) => ({
        id,
        title,
        brings: ownDuplicates,
      })),
      newFollowers: followers!.more,
      becomesDowntime: merges.some(({ becomesDowntime }) => becomesDowntime),
      assets: consequences,
    }
  }
  return retryWhileFamilyChanges(() => change(actor, merge))
}
