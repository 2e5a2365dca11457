import { createHash } from 'node:crypto'
import { type Query, query } from '../../database.js'
import { isStaffSql } from '../accounts/user.js'

/**
 * What the office has said and set of an incident, as a short text: equal texts, nothing new. Residents' words do not
 * count: who answers has read some of them, and the others stay on the desk.
 */
export async function officeVersion(incidentId: number, run: Query = query): Promise<string> {
  const rows = await run(
    `select i.status, i.expected_back_at, i.status_reason, i.closing_reason, i.assignee_id, i.contact_id, i.due_on,
       (select p.id from incident_updates p join users w on w.id = p.author_id
        where p.incident_id = i.id and ${isStaffSql('w')} order by p.id desc limit 1) as last
     from incidents i where i.id = $1`,
    [incidentId],
  )
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url').slice(0, 22)
}
