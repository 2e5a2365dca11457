import { createHash } from 'node:crypto'
import { type Query, query } from '../../platform/db/database.js'
import { isStaffSql } from '../../platform/http/session/user.js'

/** The office's latest entry about an incident for the status page. */
export type StaffWord = { incidentId: number; body: string; createdAt: Date }

/** What is being done, in the office's words (decision 7.16); null when there are none. Never words by mail (7.3). */
export async function latestStaffWord(incidentId: number): Promise<StaffWord | null> {
  const [row] = await query<StaffWord>(
    `select $1::integer as "incidentId", w.body, w.created_at as "createdAt" from ${staffWordSql('$1')} w`,
    [incidentId],
  )
  return row ?? null
}

/** SQL: the latest entry of the office on an incident that it shows on the status page, as a row or none. */
export const staffWordSql = (incidentId: string) => `(
  select p.body, p.created_at
  from incident_updates p
  where p.incident_id = ${incidentId} and p.on_status_page and not p.is_anonymous and p.body <> ''
  order by p.id desc limit 1)`

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
