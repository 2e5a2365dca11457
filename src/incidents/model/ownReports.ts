import { type PageOfRows, pageInBytes } from '../../platform/db/listing.js'
import type { ListedIncident } from './entity.js'

/** An incident the user reported (`mine`), follows, or both. */
type OwnReport = ListedIncident & { mine: boolean; following: boolean }

/**
 * Incidents this user reported or follows, newest first, older than the id `before`. Without merged
 * duplicates: their reporter and followers follow the survivor.
 */
export async function ownReports(
  userId: number,
  { before, limit }: { before: number | undefined; limit: number },
  bytes: number,
): Promise<PageOfRows<OwnReport>> {
  return pageInBytes(
    `with own as (
       select id from incidents where reporter_id = $1
       union select incident_id from followers where user_id = $1
     ), shown as (
       select i.id from incidents i join own using (id)
       where i.merged_into_id is null and (i.dismissed_at is null or i.reporter_id = $1)
         and ($2::integer is null or i.id < $2)
       order by i.id desc limit $3
     )
     select l.*, l.reporter_id is not distinct from $1 as mine, f.user_id is not null as following
     from shown s
     join listed_incidents l on l.id = s.id
     left join followers f on f.incident_id = l.id and f.user_id = $1
     order by l.id desc`,
    [userId, before ?? null, limit + 1],
    { limit, bytes },
  )
}
