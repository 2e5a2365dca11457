import { query } from '../platform/db/database.js'
import { type Followed, type FollowedColumns, followedText } from '../vocabulary/email/followed.js'

// This is in building, because the pages of accounts and the emails of notifications both name what
// people follow, and neither may import the other.

/** Something to follow by email, with the name people know it by. */
export type FollowedName = FollowedColumns & { followed: Followed; name: string }

/** An asset's or a tower's name, `INC-5: title`, or the building's; null when it is gone. */
export async function nameOfFollowed({
  incidentId,
  assetId,
  towerId,
}: FollowedColumns): Promise<string | null> {
  const [row] = await query<{ name: string | null }>(
    `select coalesce('INC-' || i.id || ': ' || i.title, a.name, t.name, p.name) as name
     from properties p
       left join incidents i on i.id = $1 left join assets a on a.id = $2 left join towers t on t.id = $3
     where $1::integer is null and $2::integer is null and $3::integer is null
       or i.id is not null or a.archived_at is null and a.id is not null or t.id is not null`,
    [incidentId, assetId, towerId],
  )
  return row?.name ?? null
}

/** A report to follow; null when there is none. `mergedIntoId`: the report it was merged into. */
export async function incidentToFollow(
  id: number,
): Promise<{ id: number; title: string; mergedIntoId: number | null } | null> {
  const [row] = await query<{ id: number; title: string; mergedIntoId: number | null }>(
    'select id, title, merged_into_id from incidents where id = $1',
    [id],
  )
  return row ?? null
}

/** What this account follows by email, the building first; incidents are not among it. */
export async function followedBy(userId: number): Promise<(FollowedName & { id: number })[]> {
  const rows = await query<FollowedColumns & { id: number; name: string }>(
    `select f.id, f.incident_id, f.asset_id, f.tower_id, coalesce(a.name, t.name, p.name) as name
     from email_follows f cross join properties p
       left join assets a on a.id = f.asset_id left join towers t on t.id = f.tower_id
     where f.user_id = $1
     order by f.asset_id is not null, f.tower_id is not null, name, f.id`,
    [userId],
  )
  return rows.map((row) => ({ ...row, followed: followedText(row) }))
}
