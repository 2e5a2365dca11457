import { type Query, query } from '../../platform/db/database.js'
import { hashOf } from '../../platform/process/hashing.js'

/**
 * What the office has said and set of an incident, as a short text: equal texts, nothing new.
 * Residents' words do not count: who answers has read some of them, and the others stay on the
 * desk.
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
