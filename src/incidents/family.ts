import { query } from '../platform/db/database.js'
import { limits } from '../vocabulary/limits.js'
import {
  type IncidentPhoto,
  type ListedIncident,
  listedFrom,
  photoRows,
  type TimelineUpdate,
  timelineRows,
} from './incident.js'

/**
 * A page of what an incident and its merged duplicates hold. `older`: what came before this instant
 * was left out; null when nothing was.
 */
export type FamilyPage = {
  duplicates: ListedIncident[]
  updates: TimelineUpdate[]
  photos: IncidentPhoto[]
  older: Date | null
}

const nothing: FamilyPage = { duplicates: [], updates: [], photos: [], older: null }

/**
 * The entries and photos of an incident and the reports, entries and photos of its duplicates,
 * oldest first (decision 2.5): the newest before the instant `before` that fit on a page (decision
 * 8.7).
 */
export async function familyPage(incidentId: number, before: Date | null): Promise<FamilyPage> {
  const [span] = await query<{ since: Date | null; more: boolean }>(spanSql, [
    incidentId,
    before,
    limits.timelineEntries,
    limits.timelineBytes,
  ])
  const { since, more } = span!
  if (since === null) return nothing
  const given = [incidentId, before, since]
  const [duplicates, updates, photos] = await Promise.all([
    query<ListedIncident>(
      `${listedFrom(`(select * from incidents d where d.merged_into_id = $1 and ${inSpan('d')})`)}
       order by i.created_at, i.id`,
      given,
    ),
    query<TimelineUpdate>(`${timelineRows} ${ofFamily} order by p.created_at, p.id`, given),
    query<IncidentPhoto>(`${photoRows} ${ofFamily} order by p.created_at, p.id`, given),
  ])
  return { duplicates, updates, photos, older: more ? since : null }
}

const inSpan = (row: string) =>
  `${row}.created_at >= $3 and ($2::timestamptz is null or ${row}.created_at < $2)`

const ofFamily = `join incidents d on d.id = p.incident_id
  where (d.id = $1 or d.merged_into_id = $1) and ${inSpan('p')}`

/** SQL: the newest rows of one incident, by their index: one with more is cut in any case. */
const newest = (table: string, columns: string) => `
  cross join lateral (
    select ${columns} from ${table}
    where incident_id = d.id and ($2::timestamptz is null or created_at < $2) order by id desc limit $3 + 1
  ) p`

/** Bytes that an entry takes on the page and in the JSON beside its own text. */
const frame = 900

/**
 * SQL: bytes of a text as HTML or JSON, whichever is more: signs that are escaped take up to six.
 */
const escapedBytes = (text: string) =>
  `octet_length(${text}) + 5 * (length(${text}) - length(translate(${text}, '<>&"''\\' || chr(10) || chr(9), '')))`

/** SQL: since when entries fit, in whole instants: entries of one instant are never parted. */
const spanSql = `
  with family as (
    select id, merged_into_id, title, description, created_at from incidents where id = $1 or merged_into_id = $1
  ), told as (
    select d.created_at as at, ${frame} + ${escapedBytes('d.title')} + ${escapedBytes('d.description')} as bytes
    from family d where d.merged_into_id = $1 and ($2::timestamptz is null or d.created_at < $2)
    union all
    select p.created_at, ${frame} + ${escapedBytes('p.body')}
    from family d ${newest('incident_updates', 'created_at, body')}
    union all
    select p.created_at, ${frame} / 2 from family d ${newest('photos', 'created_at')}
  )
  select min(at) filter (where fits) as since, coalesce(not bool_and(fits), false) as more
  from (
    select at, coalesce(count(*) over newer, 0) < $3::bigint and coalesce(sum(bytes) over newer, 0) < $4 as fits
    from told window newer as (order by at desc groups between unbounded preceding and 1 preceding)
  ) counted`
