import { type Query, query } from '../../platform/db/database.js'
import { hashOf } from '../../platform/process/hashing.js'

/**
 * The latest statement about an incident (decision 7.16): the newest public text of staff or, where
 * `isReopening`, a resident's "not fixed", of which pages say only that and when.
 */
export type LatestStatement = { incidentId: number; body: string; createdAt: Date; isReopening: boolean }

/** Null when no one has said anything that is shown. Never an email's text (decision 7.3). */
export async function latestStatement(incidentId: number): Promise<LatestStatement | null> {
  const [row] = await query<LatestStatement>(
    `select i.id as incident_id, s.body, s.created_at, s.is_reopening
     from incidents i cross join lateral latest_statement(i.id, i.resolved_at) s
     where i.id = $1`,
    [incidentId],
  )
  return row ?? null
}

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
