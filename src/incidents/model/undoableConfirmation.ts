import { type Query, query } from '../../platform/db/database.js'
import { undoMinutes } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import type { Incident } from './incident.js'

/** `byReporter`: the anonymous reporter gave it, like a resident, also where they are staff. */
type Confirmation = { closingReason: Incident['closingReason'] | undefined; byReporter: boolean }

/**
 * The last confirmation of an incident if this person may still take it back (decisions 8.4 and
 * 9.11): whoever gave it within the last ten minutes, and staff what any of them gave for the
 * office. What a resident has confirmed stays for everyone else, and so does what an anonymous
 * reporter has: that the office can take it back would tell that they are staff (decision 9.9).
 * Null when there is none.
 */
export async function undoableConfirmation(
  run: Query,
  { id, role }: Pick<Actor, 'id' | 'role'>,
  incidentId: number,
  now: Date,
): Promise<Confirmation | null> {
  const [confirmed] = await run<Confirmation & { isRecent: boolean; isTheirs: boolean; byStaff: boolean }>(
    `select e.at > $2::timestamptz - make_interval(mins => $4) as is_recent,
       u.id = $3::integer as is_theirs, is_staff(u.role) as by_staff,
       e.changes #>> '{closingReason,before}' as closing_reason,
       coalesce((
         select p.is_anonymous from incident_updates p
         where p.incident_id = e.entity_id and p.new_status = 'verified'
         order by p.id desc limit 1
       ), false) as by_reporter
     from audit_entries e join users u on u.id = e.actor_id
     where e.entity = 'incident' and e.entity_id = $1 and e.changes ? 'verifiedAt'
     order by e.id desc limit 1`,
    [incidentId, now, id, undoMinutes],
  )
  if (!confirmed?.isRecent) return null
  const { closingReason, byReporter } = confirmed
  const byOffice = confirmed.byStaff && !byReporter
  const mayUndo = confirmed.isTheirs || (byOffice && isStaff(role ?? 'guest'))
  return mayUndo ? { closingReason, byReporter } : null
}

/** Whether this person may still take back that an incident is fixed. */
export async function mayUndoConfirmation(actor: Actor, incident: Pick<Incident, 'id' | 'status'>) {
  if (incident.status !== 'verified' || actor.id === null) return false
  return (await undoableConfirmation(query, actor, incident.id, new Date())) !== null
}
