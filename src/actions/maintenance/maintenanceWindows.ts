import type { Change } from '../../change.js'
import { windowProblem } from '../../domain/maintenance/recurrence.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import { type ListedWindow, MaintenanceWindow, timesOf } from '../../models/maintenance/maintenanceWindow.js'
import { requireInUse } from '../records/archive.js'
import type { RecordKind } from '../records/records.js'

type Times = Pick<ListedWindow, 'startsAt' | 'endsAt' | 'recurrence'>

/** Maintenance windows as records. Each write may change the asset's live status (decision 3.5). */
export const windowKind: RecordKind = {
  entity: 'maintenance_window',
  model: MaintenanceWindow,
  fields: ['assetId', 'title', 'startsAt', 'endsAt', 'recurrence', 'until', 'notes'],
  asset: ({ assetId }) => assetId as number,
  check: async (c, after, before) => {
    requireTimes(after as Times, await zoneOf(c))
    if (after.assetId !== before?.assetId) await requireInUse(c, 'asset', after.assetId as number)
  },
}

/**
 * Throws ValidationFailed at `endsAt` when a window ends before it begins or overlaps its own repetition
 * (decision 3.4).
 */
export function requireTimes(times: Times, zone: string): void {
  const problem = windowProblem(timesOf(times), zone)
  if (problem) throw new ValidationFailed({ [problem.startsWith('until') ? 'until' : 'endsAt']: [problem] })
}

async function zoneOf(c: Change): Promise<string> {
  const [property] = await c.query<{ zone: string }>('select timezone as zone from properties')
  return property!.zone
}
