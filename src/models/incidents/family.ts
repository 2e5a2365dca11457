import { query } from '../../database.js'
import { bounds } from '../../domain/system/limits.js'
import {
  type IncidentPhoto,
  type ListedIncident,
  listedFrom,
  photoRows,
  type TimelineUpdate,
  timelineRows,
} from './incident.js'

/** What merged duplicates hold. `older`: entries before this instant were left out; null when none were. */
export type FromDuplicates = {
  duplicates: ListedIncident[]
  updates: TimelineUpdate[]
  photos: IncidentPhoto[]
  older: Date | null
}

const nothing: FromDuplicates = { duplicates: [], updates: [], photos: [], older: null }

/**
 * The reports, entries and photos of an incident's duplicates, oldest first: the newest `bounds.timelineEntries`
 * of them before the instant `before`, and no more once their text exceeds `bounds.timelineBytes` (decision 2.5).
 */
export async function fromDuplicates(survivorId: number, before: Date | null): Promise<FromDuplicates> {
  const [span] = await query<{ since: Date | null; more: boolean }>(spanSql, [
    survivorId,
    before,
    bounds.timelineEntries,
    bounds.timelineBytes,
  ])
  const { since, more } = span!
  if (since === null) return nothing
  const given = [survivorId, before, since]
  const [duplicates, updates, photos] = await Promise.all([
    query<ListedIncident>(
      `${listedFrom(`(select * from incidents d where d.merged_into_id = $1 and ${inSpan('d')})`)}
       order by i.created_at, i.id`,
      given,
    ),
    query<TimelineUpdate>(`${timelineRows} ${ofDuplicates} order by p.created_at, p.id`, given),
    query<IncidentPhoto>(`${photoRows} ${ofDuplicates} order by p.created_at, p.id`, given),
  ])
  return { duplicates, updates, photos, older: more ? since : null }
}

const inSpan = (row: string) =>
  `${row}.created_at >= $3 and ($2::timestamptz is null or ${row}.created_at < $2)`

const ofDuplicates = `join incidents d on d.id = p.incident_id
  where d.merged_into_id = $1 and ${inSpan('p')}`

/** SQL: the newest rows of one duplicate, by their index: a duplicate with more is cut in any case. */
const newest = (table: string, columns: string) => `
  cross join lateral (
    select ${columns} from ${table}
    where incident_id = d.id and ($2::timestamptz is null or created_at < $2) order by id desc limit $3 + 1
  ) p`

/** SQL: since when entries fit, in whole instants: entries of one instant are never parted. */
const spanSql = `
  with told as (
    select d.created_at as at, octet_length(d.title) + octet_length(d.description) as bytes
    from incidents d where d.merged_into_id = $1 and ($2::timestamptz is null or d.created_at < $2)
    union all
    select p.created_at, octet_length(p.body)
    from incidents d ${newest('incident_updates', 'created_at, body')} where d.merged_into_id = $1
    union all
    select p.created_at, 0 from incidents d ${newest('photos', 'created_at')} where d.merged_into_id = $1
  )
  select min(at) filter (where fits) as since, coalesce(not bool_and(fits), false) as more
  from (
    select at, coalesce(count(*) over newer, 0) < $3::bigint and coalesce(sum(bytes) over newer, 0) < $4 as fits
    from told window newer as (order by at desc groups between unbounded preceding and 1 preceding)
  ) counted`
