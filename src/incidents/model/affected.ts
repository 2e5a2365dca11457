import { query } from '../../platform/db/database.js'

/**
 * SQL: reports of this incident, duplicates included, plus people who said, signed in or by email,
 * that they have it too. Never who follows otherwise: a report adds one only for a reporter who is
 * known (decision 2.9).
 */
export const affectedSql = (id: string) => `(
  (select count(*) from incidents d where d.id = ${id} or d.merged_into_id = ${id})
  + (select count(distinct f.user_id) from incidents d join followers f on f.incident_id = d.id
     where f.by_choice and (d.id = ${id} or d.merged_into_id = ${id}))
  + (select count(distinct m.id) from incidents d join email_follows g on g.incident_id = d.id
       join email_followers m on m.id = g.email_follower_id
     where g.by_choice and (d.id = ${id} or d.merged_into_id = ${id})
       and not exists (select from incidents e join followers f on f.incident_id = e.id join users u on u.id = f.user_id
         where f.by_choice and (e.id = ${id} or e.merged_into_id = ${id}) and lower(u.email) = lower(m.address)))
)::integer`

/** Number of people who said they are affected by an incident. */
export async function affectedBy(incidentId: number): Promise<number> {
  const [row] = await query<{ affected: number }>(`select ${affectedSql('$1')} as affected`, [incidentId])
  return row!.affected
}
