import type { Change } from '../../platform/db/change.js'
import { isStaff, type Role } from '../../vocabulary/people/permissions.js'

/**
 * Someone who wrote or acted: an account, or null for an unknown sender of an email. Without a
 * role: not staff.
 */
export type Person = { id: number; role?: Role } | null

/** Whether a member of staff wrote or acted. */
export const isOffice = (by: Person) => by?.role !== undefined && isStaff(by.role)

/** The actor of the change; null for the system. */
export function personOf({ actor: { id, role } }: Change): Person {
  return id === null || role === null ? null : { id, role }
}

/**
 * Staff who act on an incident follow it from then on, unless they unfollowed it (decision 7.2);
 * they do not count as affected. Others who act go on following after a merge that brought them is
 * undone (decision 2.5). Needs the lock.
 */
export async function followByActing(c: Change, incidentId: number, by: Person): Promise<void> {
  if (!by) return
  if (isOffice(by)) await c.query(followSql, [incidentId, by.id, c.now])
  else await c.query(keepFollowingSql, [incidentId, by.id])
}

const followSql = `
  insert into followers (incident_id, user_id, created_at)
  select $1::integer, $2::integer, $3::timestamptz
  where not exists (select from unfollows where incident_id = $1 and user_id = $2)
  on conflict (incident_id, user_id) do update set by_merge = false where followers.by_merge`

const keepFollowingSql =
  'update followers set by_merge = false where incident_id = $1 and user_id = $2 and by_merge'

/** Something on the incident waits for an answer by the office. */
export async function markUnanswered(c: Change, incidentId: number): Promise<void> {
  await c.query('update incidents set unanswered_since = coalesce(unanswered_since, $2) where id = $1', [
    incidentId,
    c.now,
  ])
}

/**
 * The office has reacted, or the repair is confirmed: the incident leaves the desk's lists of what
 * came back and of unanswered words.
 */
export async function markAnswered(c: Change, incidentId: number): Promise<void> {
  await c.query(
    `update incidents set came_back_at = null, unanswered_since = null
     where id = $1 and (came_back_at is not null or unanswered_since is not null)`,
    [incidentId],
  )
}

/**
 * What waits for an answer on a duplicate waits on its survivor from then on; the duplicate keeps
 * its own.
 */
export async function carryWaiting(c: Change, duplicateId: number, survivorId: number): Promise<void> {
  await c.query(
    `update incidents s set came_back_at = least(s.came_back_at, d.came_back_at),
       unanswered_since = least(s.unanswered_since, d.unanswered_since)
     from incidents d
     where s.id = $2 and d.id = $1 and (d.came_back_at is not null or d.unanswered_since is not null)`,
    [duplicateId, survivorId],
  )
}
