import { type Query, query } from '../../platform/db/database.js'
import { isStaffSql } from '../../platform/http/session/currentUser.js'
import { hashOf } from '../../platform/process/sealing.js'

/**
 * The latest statement about an incident (decision 7.16): the newest public text of staff or, where
 * `isReopening`, a resident's "not fixed", of which pages say only that and when.
 */
export type LatestStatement = { incidentId: number; body: string; createdAt: Date; isReopening: boolean }

/** Null when no one has said anything that is shown. Never an email's text (decision 7.3). */
export async function latestStatement(incidentId: number): Promise<LatestStatement | null> {
  const [row] = await query<LatestStatement>(
    `select i.id as "incidentId", s.body, s.created_at as "createdAt", s.is_reopening as "isReopening"
     from incidents i cross join lateral ${latestStatementSql('i')} s where i.id = $1`,
    [incidentId],
  )
  return row ?? null
}

/**
 * SQL: the entry `p` by author `w` is by a resident. On an anonymous report the entry says so, not
 * the author's role, which would tell who the reporter is (decision 9.9): what the reporter writes
 * is a resident's, and what the office signs (with an author and a label) is not.
 */
export const byResidentSql = (p: string, w: string) =>
  `(${w}.id is not null and ${p}.author_label is null and (${p}.is_anonymous or not ${isStaffSql(w)}))`

/** SQL: the entry `p` by author `w` is a resident's "not fixed": residents set no other status. */
export const isReopeningSql = (p: string, w: string) =>
  `(${p}.new_status = 'in_progress' and (${p}.via = 'email' or ${byResidentSql(p, w)}))`

/**
 * SQL: the latest statement about the incident `i`, as a row or none. What was said before a repair
 * that did not last, and with it, is over.
 */
export const latestStatementSql = (i: string) => `(
  select case when p.on_status_page then p.body else '' end as body, p.created_at, not p.on_status_page as is_reopening
  from incident_updates p left join users w on w.id = p.author_id
  where p.incident_id = ${i}.id
    and (p.on_status_page and not p.is_anonymous and p.body <> '' or not p.on_status_page and ${isReopeningSql('p', 'w')})
    and (${i}.resolved_at is not null or p.id > coalesce((
      select max(c.id) from incident_updates c
      where c.incident_id = ${i}.id and c.new_status in ('resolved', 'verified')), 0))
  order by p.id desc limit 1)`

/**
 * What the office has said and set of an incident, as a short text: equal texts, nothing new.
 * Residents' words do not count: who answers has read some of them, and the others stay on the
 * desk.
 */
export async function officeVersion(incidentId: number, run: Query = query): Promise<string> {
  const rows = await run(
    `select i.status, i.expected_back_at, i.status_reason, i.closing_reason, i.assignee_id, i.contact_id, i.due_on,
       (select p.id from incident_updates p join users w on w.id = p.author_id
        where p.incident_id = i.id and ${isStaffSql('w')} order by p.id desc limit 1) as last
     from incidents i where i.id = $1`,
    [incidentId],
  )
  // Forms of version 1.0.0 have the hash of these names, and are open while a building is upgraded.
  const named = rows.map((row) => ({
    status: row.status,
    expected_back_at: row.expectedBackAt,
    status_reason: row.statusReason,
    closing_reason: row.closingReason,
    assignee_id: row.assigneeId,
    contact_id: row.contactId,
    due_on: row.dueOn,
    last: row.last,
  }))
  return hashOf(JSON.stringify(named)).toString('base64url').slice(0, 22)
}
