import type { Change } from '../../platform/db/change.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from './incident.js'

/**
 * Locks the incident or, for a merged duplicate, its survivor; null when there is none. The
 * duplicate is not locked: a concurrent merge of the survivor locks in another order and would
 * deadlock.
 */
export async function lockSurvivor(c: Change, incidentId: number): Promise<number | null> {
  const [row] = await c.query<{ id: number }>(
    `select s.id from incidents i join incidents s on s.id = coalesce(i.merged_into_id, i.id)
     where i.id = $1 for update of s`,
    [incidentId],
  )
  if (!row) return null
  const locked = orNotFound(await Incident.query(c.trx).findById(row.id).select('mergedIntoId'))
  return locked.mergedIntoId === null ? row.id : lockSurvivor(c, locked.mergedIntoId)
}
