import { query } from '../../platform/db/database.js'
import type { ListedIncident } from './entity.js'

/** An unresolved incident, as shown to a person about to report the same fault. */
type KnownIncident = Pick<ListedIncident, 'id' | 'title' | 'severity' | 'status' | 'createdAt'> & {
  /** Reported as not fixed since the office last acted (decision 7.18). */
  reopened: boolean
  affected: number
  following: boolean
  /** This person reported it. */
  isMine: boolean
}

/**
 * Unresolved incidents of an asset: first the outage that the office works on, which a new report
 * is most likely about, then the newest. `userId`: whose following and reports are looked up.
 */
export function knownIncidents(assetId: number, userId: number, limit: number): Promise<KnownIncident[]> {
  return query<KnownIncident>(
    `select i.id, i.title, i.severity, i.status, i.reopened_at is not null as reopened, i.created_at,
       p.total as affected,
       exists (select from followers f where f.incident_id = i.id and f.user_id = $2) as following,
       i.reporter_id is not distinct from $2 as is_mine
     from incidents i
     cross join lateral affected_people(i.id) p
     where i.asset_id = $1 and i.resolved_at is null and i.merged_into_id is null
     order by i.is_downtime desc, i.status = 'in_progress' desc, i.id desc limit $3`,
    [assetId, userId, limit],
  )
}
