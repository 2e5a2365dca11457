import { query } from '../../platform/db/database.js'
import { isStaffSql } from '../../platform/http/session/user.js'
import { affectedSql } from '../affected.js'
import { type DoerNames, doerNames } from '../assignee/queries.js'

/** What a row of the desk or the list shows beside the incident: how many are affected, its first photo, the office's last word. */
export type DeskFacts = DoerNames & {
  incidentId: number
  affected: number
  photo: string | null
  officeWord: { body: string; createdAt: Date } | null
}

/** The facts of these incidents, by id. The last word is staff's own and public: never a machine's sentence (7.16). */
export async function deskFacts(ids: readonly number[]): Promise<Map<number, DeskFacts>> {
  const rows = await query<Omit<DeskFacts, 'officeWord'> & { said: string | null; saidAt: Date | null }>(
    `select i.id as "incidentId", ${affectedSql('i.id')} as affected, ${doerNames},
       (select p.path from photos p where p.incident_id = i.id and p.hidden_at is null order by p.id limit 1) as photo,
       w.body as said, w.created_at as "saidAt"
     from incidents i left join lateral (
       select p.body, p.created_at from incident_updates p join users u on u.id = p.author_id
       where p.incident_id = i.id and ${isStaffSql('u')} and p.via <> 'email' and not p.automatic
         and not p.is_anonymous and p.body <> ''
       order by p.id desc limit 1
     ) w on true
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
