import { query } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'
import type { Stamps } from '../../vocabulary/lifecycle.js'
import { undoMinutes } from '../../vocabulary/limits.js'

/**
 * `joined`: the duplicate's downtime continues in the survivor. `answered`: its assignee and
 * forecast count there. `brought`: the duplicate's own duplicates, which moved with it. The stamps
 * are those of the duplicate before the merge.
 */
type MergeColumns = Stamps & {
  duplicateId: number
  survivorId: number
  updateId: number
  mergedAt: Date
  mergedBy: number | null
  joined: boolean
  answered: boolean
  brought: number[]
  slaBreachedAt: Date | null
} & SurvivorColumns

/** What the survivor was before the merge; `survivorState.ts` has the field of each column. */
export type SurvivorColumns = {
  wasDowntime: boolean
  wasDownSince: Date | null
  wasAssigneeId: number | null
  wasContactId: number | null
  wasDueOn: string | null
  wasExpectedBackAt: Date | null
  wasStatusReason: string | null
  wasBackAt: Date | null
  wasUnansweredSince: Date | null
}

/** A row of `merges`: a merge that holds, for its undoing. */
export class Merge extends rowOf<MergeColumns>() {
  static override tableName = 'merges'
  static override idColumn = 'duplicateId'
}

/**
 * How a duplicate joins its survivor: whether its downtime continues there, and whether its
 * assignee and forecast count there.
 */
export type Joining = { mergedAt: Date; continuesDowntime: boolean; takesForecast: boolean }

/** How the duplicate of a stored merge joined. The columns have kept their first names. */
export function joiningOf({ mergedAt, joined, answered }: Merge): Joining {
  return { mergedAt, continuesDowntime: joined, takesForecast: answered }
}

/** The columns of `merges` that say how a duplicate joins. */
export function joiningColumns({ mergedAt, continuesDowntime, takesForecast }: Joining) {
  return { mergedAt, joined: continuesDowntime, answered: takesForecast }
}

/** Whole minutes left to undo a merge, rounded up; 0 when it is too late. */
export function minutesToUndo(mergedAt: Date, now: Date): number {
  const left = mergedAt.getTime() + undoMinutes * 60_000 - now.getTime()
  return Math.max(0, Math.ceil(left / 60_000))
}

/**
 * The merges into an incident that can still be undone, by the id of their entry in its timeline.
 */
export async function undoableMerges(
  survivorId: number,
): Promise<Record<number, { duplicateId: number; minutes: number }>> {
  const now = new Date()
  const merges = await query<{ updateId: number; duplicateId: number; mergedAt: Date }>(
    `select m.update_id, m.duplicate_id, m.merged_at
     from merges m join incidents d on d.id = m.duplicate_id and d.merged_into_id = m.survivor_id
     where m.survivor_id = $1 and m.merged_at > $2`,
    [survivorId, new Date(now.getTime() - undoMinutes * 60_000)],
  )
  return Object.fromEntries(
    merges.map(({ updateId, duplicateId, mergedAt }) => [
      updateId,
      { duplicateId, minutes: minutesToUndo(mergedAt, now) },
    ]),
  )
}
