import { query } from '../platform/db/database.js'
import type { Status } from '../vocabulary/lifecycle.js'
import type { Severity } from '../vocabulary/severity.js'

/**
 * SQL: reports of this incident, duplicates included, plus people who said, signed in or by email,
 * that they have it too. Never who follows otherwise: a report adds one only for a reporter who is
 * known (decision 2.9).
 */
export const affectedSql = (id: string) => `(
  (select count(*) from incidents d where d.id = ${id} or d.merged_into_id = ${id})
  + (select count(distinct f.user_id) from incidents d join followers f on f.incident_id = d.id
     where f.by_choice and (d.id = ${id} or d.merged_into_id = ${id}))
  + (select count(distinct m.id) from incidents d join mail_follows g on g.incident_id = d.id
       join mail_followers m on m.id = g.mail_follower_id
     where g.by_choice and (d.id = ${id} or d.merged_into_id = ${id})
       and not exists (select from incidents e join followers f on f.incident_id = e.id join users u on u.id = f.user_id
         where f.by_choice and (e.id = ${id} or e.merged_into_id = ${id}) and lower(u.email) = lower(m.address)))
)::integer`

/** Number of people who said they are affected by an incident. */
export async function affectedBy(incidentId: number): Promise<number> {
  const [row] = await query<{ affected: number }>(`select ${affectedSql('$1')} as affected`, [incidentId])
  return row!.affected
}

/** An unresolved incident, as shown to a person about to report the same fault. */
export type KnownIncident = {
  id: number
  title: string
  severity: Severity
  status: Status
  createdAt: Date
  reopened: boolean
  affected: number
  following: boolean
}

/**
 * Unresolved incidents of an asset, and whether this user follows them: first the outage that the
 * office works on, which a new report is most likely about, then the newest.
 */
export async function knownIncidents(
  assetId: number,
  userId: number,
  limit: number,
): Promise<KnownIncident[]> {
  return query(
    `select i.id, i.title, i.severity, i.status, i.created_at as "createdAt",
       i.came_back_at is not null as reopened, ${affectedSql('i.id')} as affected,
       exists (select from followers f where f.incident_id = i.id and f.user_id = $2) as following
     from incidents i
     where i.asset_id = $1 and i.resolved_at is null and i.merged_into_id is null
     order by i.is_downtime desc, i.status = 'in_progress' desc, i.id desc limit $3`,
    [assetId, userId, limit],
  )
}
