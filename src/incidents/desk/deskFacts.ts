import { query } from '../../platform/db/database.js'
import { latestStatementSql } from '../../status/queries/latestStatement.js'
import { affectedSql } from '../affected.js'
import { type DoerNames, doerNames } from '../assignee/queries.js'

/** What a row of the desk or the list shows beside the incident: how many are affected, its first photo, the office's last word. */
export type DeskFacts = DoerNames & {
  incidentId: number
  affected: number
  photo: string | null
  officeWord: { body: string; createdAt: Date } | null
}

/** The facts of these incidents, by id. `officeWord`: the latest statement, if it is staff's (7.16). */
export async function deskFacts(ids: readonly number[]): Promise<Map<number, DeskFacts>> {
  const rows = await query<Omit<DeskFacts, 'officeWord'> & { said: string | null; saidAt: Date | null }>(
    `select i.id as "incidentId", ${affectedSql('i.id')} as affected, ${doerNames},
       (select p.path from photos p where p.incident_id = i.id and p.hidden_at is null order by p.id limit 1) as photo,
       w.body as said, w.created_at as "saidAt"
     from incidents i left join lateral ${latestStatementSql('i')} w on not w.is_reopening
     where i.id = any ($1)`,
    [ids],
  )
  return new Map(
    rows.map(({ said, saidAt, ...facts }) => [
      facts.incidentId,
      { ...facts, officeWord: said && saidAt ? { body: said, createdAt: saidAt } : null },
    ]),
  )
}
