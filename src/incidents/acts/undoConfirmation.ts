import { propertyText } from '../../building/building.js'
import { change } from '../../platform/db/change.js'
import { type Query, query } from '../../platform/db/database.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged, undoConfirmationStamps } from '../../vocabulary/lifecycle.js'
import { undoMinutes } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'
import { applyPatch } from './applyPatch.js'

/** `byReporter`: the anonymous reporter gave it, like a resident, also where they are staff. */
type Confirmation = { closingReason: Incident['closingReason'] | undefined; byReporter: boolean }

/**
 * The last confirmation of an incident if this person may still take it back (decisions 8.4 and
 * 9.11): whoever gave it within the last ten minutes, and staff what any of them gave for the
 * office. What a resident has confirmed stays for everyone else, and so does what an anonymous
 * reporter has: that the office can take it back would tell that they are staff (decision 9.9).
 * Null when there is none.
 */
async function undoableConfirmation(
  run: Query,
  { id, role }: Pick<Actor, 'id' | 'role'>,
  incidentId: number,
  now: Date,
): Promise<Confirmation | null> {
  const [confirmed] = await run<Confirmation & { isRecent: boolean; isTheirs: boolean; byStaff: boolean }>(
    `select at > $2::timestamptz - make_interval(mins => $4) as is_recent,
       u.id = $3::integer as is_theirs, is_staff(u.role) as by_staff,
       changes #>> '{closingReason,before}' as closing_reason,
       coalesce((
         select p.is_anonymous from incident_updates p
         where p.incident_id = entity_id and p.new_status = 'verified' order by p.id desc limit 1
       ), false) as by_reporter
     from audit_entries e join users u on u.id = e.actor_id
     where entity = 'incident' and entity_id = $1 and changes ? 'verifiedAt' order by e.id desc limit 1`,
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

/**
 * Takes back a confirmation: the repair waits for one again. Throws Conflict when it is too late,
 * or another person's.
 */
export async function undoConfirmation(actor: Actor, incidentId: number): Promise<void> {
  const { desk, incident: words } = await propertyText()
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    refuseMerged(incident)
    undoConfirmationStamps(incident)
    const confirmed = await undoableConfirmation(c.query, actor, incidentId, c.now)
    if (!confirmed) throw new Conflict('undo_too_late')
    const { closingReason, byReporter } = confirmed
    const byOffice = isStaff(actor.role ?? 'guest') && !byReporter
    const body = byOffice ? desk.undoneEntry : words.verdict.undone
    await applyPatch(c, incident, { body, move: 'undo', automatic: true, closingReason, byOffice })
  })
}
