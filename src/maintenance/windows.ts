import { requireAssetInUse } from '../building/requireExisting.js'
import type { RecordKind } from '../platform/http/records/recordActs.js'
import { announceBeforeCorrection } from '../status/announceStatus.js'
import { windowProblem } from '../vocabulary/time/recurrence.js'
import { ValidationFailed } from '../vocabulary/validation.js'
import { storeSeriesChange } from './splitSeries.js'
import { timesOf, windowEntity } from './windowEntity.js'
import { clockOf, MaintenanceWindow, type Times } from './windowRows.js'
import { readWorkBefore } from './workNews.js'

/** Maintenance windows as records. Each write may change the asset's live status (decision 3.5). */
export const windowKind: RecordKind = {
  ...windowEntity.kind,
  model: MaintenanceWindow,
  prepare: (c, versions) =>
    announceBeforeCorrection(
      c,
      versions.map(({ assetId }) => assetId as number),
    ),
  check: async (c, after, before) => {
    requireTimes(after as Times, (await clockOf(c)).zone)
    if (after.assetId !== before?.assetId) await requireAssetInUse(c, after.assetId as number)
  },
  toColumns: storeSeriesChange,
  watch: readWorkBefore,
  references: [
    { table: 'maintenance_exceptions', column: 'window_id', deleted: true },
    { table: 'maintenance_reminders', column: 'window_id', deleted: true },
  ],
}

/** Throws ValidationFailed for a window that ends too early or overlaps itself (decision 3.4). */
export function requireTimes(times: Times, zone: string): void {
  const problem = windowProblem(timesOf(times), zone)
  if (problem) throw new ValidationFailed({ [problem.startsWith('until') ? 'until' : 'endsAt']: [problem] })
}
