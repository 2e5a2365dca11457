import { type Query, query } from '../../platform/db/database.js'
import { hashOf } from '../../platform/process/hashing.js'

/**
 * A short text that changes whenever staff write an update on an incident or set something of it.
 * Residents' comments do not change it: they refuse no update by staff, and those that staff have
 * not read stay on the desk.
 */
export async function officeVersion(incidentId: number, run: Query = query): Promise<string> {
  const rows = await run(
    `select i.status, i.expected_back_at, i.status_reason, i.closing_reason, i.assignee_id, i.contact_id, i.due_on,
       (select p.id from incident_updates p join users w on w.id = p.author_id
        where p.incident_id = i.id and is_staff(w.role) order by p.id desc limit 1) as last
     from incidents i where i.id = $1`,
    [incidentId],
  )
  // Forms of version 1.0.0 have the hash of these names, and are open while a building is upgraded.
  const fields = rows.map((row) => ({
    status: row.status,
    expected_back_at: row.expectedBackAt,
    status_reason: row.statusReason,
    closing_reason: row.closingReason,
    assignee_id: row.assigneeId,
    contact_id: row.contactId,
    due_on: row.dueOn,
    last: row.last,
  }))
  return hashOf(JSON.stringify(fields)).toString('base64url').slice(0, 22)
}
