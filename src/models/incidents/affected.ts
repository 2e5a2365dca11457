import { query } from '../../database.js'
import type { Status } from '../../domain/incidents/lifecycle.js'
import type { Severity } from '../../domain/incidents/severity.js'

/**
 * SQL: how many are affected by the incident with this id: its reports, those merged into it included, and everybody
 * who said they have it too. Never the number of followers: whether a new report adds one to those depends on who
 * reported it, and who gave no name must not be found by counting (decision 2.9).
 */
const affectedSql = (id: string) => `(
  (select count(*) from incidents d where d.id = ${id} or d.merged_into_id = ${id})
  + (select count(distinct f.user_id) from incidents d join followers f on f.incident_id = d.id
     where f.by_choice and (d.id = ${id} or d.merged_into_id = ${id}))
)::integer`

/** How many people are affected by an incident, as far as they said so. */
export async function affectedBy(incidentId: number): Promise<number> {
  const [row] = await query<{ affected: number }>(`select ${affectedSql('$1')} as affected`, [incidentId])
  return row!.affected
}

/** An unresolved incident as somebody about to report the same sees it. */
export type KnownIncident = {
  id: number
  title: string
  severity: Severity
  status: Status
  createdAt: Date
  affected: number
  following: boolean
}

/** The newest unresolved incidents of an asset, with whether this user follows them. */
export async function knownIncidents(
  assetId: number,
  userId: number,
  limit: number,
): Promise<KnownIncident[]> {
  return query(
    `select i.id, i.title, i.severity, i.status, i.created_at as "createdAt", ${affectedSql('i.id')} as affected,
       exists (select from followers f where f.incident_id = i.id and f.user_id = $2) as following
     from incidents i
     where i.asset_id = $1 and i.resolved_at is null and i.merged_into_id is null
     order by i.id desc limit $3`,
    [assetId, userId, limit],
  )
}
