import { type Change, change } from '../../../platform/db/change.js'
import { consequencesOf } from '../../../status/consequence.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import type { Severity } from '../../../vocabulary/severity.js'
import { orNotFound } from '../../../vocabulary/validation.js'
import { Incident } from '../../model/incident.js'
import type { MergePreview } from '../../model/json/mergeJson.js'
import { applyPatch } from '../applyPatch.js'
import { retryWhileFamilyChanges } from './mergeFamily.js'
import { mergeIn } from './mergeIncidents.js'

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
