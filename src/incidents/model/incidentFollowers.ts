import type { Change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { isOffice, type Person } from './person.js'

/** Number of people who said they are affected by an incident. */
export async function affectedBy(incidentId: number): Promise<number> {
  const [row] = await query<{ total: number }>('select total from affected_people($1)', [incidentId])
  return row!.total
}

/** Whether a user follows an incident. */
export async function isFollowed(incidentId: number, userId: number): Promise<boolean> {
  const rows = await query('select from followers where incident_id = $1 and user_id = $2', [
    incidentId,
    userId,
  ])
  return rows.length > 0
}

/**
 * Staff who act on an incident follow it from then on, unless they unfollowed it (decision 7.2);
 * they do not count as affected. Others who act go on following after a merge that brought them is
 * undone (decision 2.5). Needs the lock.
 */
export async function followByActing(c: Change, incidentId: number, by: Person): Promise<void> {
  if (!by) return
  if (isOffice(by)) await c.query(followSql, [incidentId, by.id, c.now])
  else await c.trx('followers').where({ incidentId, userId: by.id, byMerge: true }).update({ byMerge: false })
}

const followSql = `
  insert into followers (incident_id, user_id, created_at)
  select $1::integer, $2::integer, $3::timestamptz
  where not exists (select from unfollows where incident_id = $1 and user_id = $2)
  on conflict (incident_id, user_id) do update set by_merge = false where followers.by_merge`
