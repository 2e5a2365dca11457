import { query } from '../../platform/db/database.js'
import type { AssigneeNames } from './assignee.js'

/**
 * What a row of the desk or the list shows beside the incident: how many are affected, its first
 * photo, the office's last word.
 */
export type RowFacts = AssigneeNames & {
  incidentId: number
  affected: number
  photo: string | null
  officeWord: { body: string; createdAt: Date } | null
}

/**
 * The facts of these incidents, by id. `officeWord`: the latest statement, if it is staff's (7.16).
 */
export async function rowFacts(ids: readonly number[]): Promise<Map<number, RowFacts>> {
  const rows = await query<
    Omit<RowFacts, 'officeWord'> & { statementBody: string | null; statementAt: Date | null }
  >(
    `select i.id as incident_id, p.total as affected, s.name as assignee_name, k.name as contact_name,
       (select p.path from photos p where p.incident_id = i.id and p.hidden_at is null order by p.id limit 1) as photo,
       w.body as statement_body, w.created_at as statement_at
     from incidents i
     left join users s on s.id = i.assignee_id
     left join contacts k on k.id = i.contact_id
     cross join lateral affected_people(i.id) p
     left join lateral latest_statement(i.id, i.resolved_at) w on not w.is_reopening
     where i.id = any ($1)`,
    [ids],
  )
  return new Map(
    rows.map(({ statementBody: body, statementAt: createdAt, ...facts }) => [
      facts.incidentId,
      { ...facts, officeWord: body && createdAt ? { body, createdAt } : null },
    ]),
  )
}
