import { query } from '../../../src/database.js'
import { changesBetween } from '../../../src/domain/audit/audit.js'
import { accountOf, auditEntry, insertRow, momentAfter, type Person } from './rows.js'

/** Someone chooses to follow an incident, so they count as affected. */
export async function aFollower(incidentId: number, who: Person): Promise<void> {
  const [follower, at] = [await accountOf(who), await momentAfter()]
  await query('delete from unfollows where incident_id = $1 and user_id = $2', [incidentId, follower.id])
  await query(
    `insert into followers (incident_id, user_id, created_at, by_choice) values ($1, $2, $3, true)
     on conflict (incident_id, user_id) do update set by_choice = true`,
    [incidentId, follower.id, at],
  )
  await auditEntry(follower, 'incident.followed', incidentId, at)
}

/** A note of the manager, for staff only. Returns its id. */
export async function aNote(incidentId: number, body = 'The part is on its way'): Promise<number> {
  const [author, at] = [await accountOf('manager'), await momentAfter()]
  const { id } = await insertRow('internal_notes', {
    incident_id: incidentId,
    author_id: author.id,
    body,
    created_at: at,
  })
  await auditEntry(author, 'incident.noted', incidentId, at, { note: { before: null, after: id } })
  return id
}

/** A cost the manager entered today. Returns its id. */
export async function aCost(
  incidentId: number,
  given: { amountCents?: number; vendor?: string; invoiceRef?: string; note?: string } = {},
): Promise<number> {
  const [author, at] = [await accountOf('manager'), await momentAfter()]
  const { amountCents = 12_345, vendor = '', invoiceRef = '', note = '' } = given
  const [today] = await query<{ day: string }>(
    `select (now() at time zone timezone)::date::text as day from properties`,
  )
  const { id } = await insertRow('repair_costs', {
    incident_id: incidentId,
    amount_cents: amountCents,
    vendor,
    invoice_ref: invoiceRef,
    note,
    incurred_on: today!.day,
    created_by: author.id,
    created_at: at,
  })
  const cost = { costId: id, amountCents, vendor, invoiceRef, note, incurredOn: today!.day }
  await auditEntry(author, 'incident.cost_added', incidentId, at, changesBetween(null, cost))
  return id
}
