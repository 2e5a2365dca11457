import { rowOf } from '../../platform/db/row.js'
import type { Stamps } from '../../vocabulary/lifecycle.js'

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
}

/**
 * A row of `merges`: a merge that holds, for its undoing. The columns named `was…` have what
 * `survivorState.ts` stores of the survivor.
 */
export class Merge extends rowOf<MergeColumns>() {
  static override tableName = 'merges'
  static override idColumn = 'duplicateId'
}
