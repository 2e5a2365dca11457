import { query } from '../../../platform/db/database.js'
import { limits } from '../../../vocabulary/limits.js'
import type { ListedIncident } from '../entity.js'
import type { IncidentPhoto } from '../photos/photos.js'
import type { TimelineUpdate } from './timelineEntries.js'

/**
 * A page of what an incident and its merged duplicates hold. `older`: what came before this instant
 * was left out; null when nothing was.
 */
type TimelinePage = {
  duplicates: ListedIncident[]
  updates: TimelineUpdate[]
  photos: IncidentPhoto[]
  older: Date | null
}

/**
 * The entries and photos of an incident and the reports, entries and photos of its duplicates,
 * oldest first (decision 2.5): the newest before the instant `before` that fit on a page (decision
 * 8.7). `withEmails`: the page has the whole emails of them as well.
 */
export async function timelinePage(
  incidentId: number,
  { before, withEmails }: { before: Date | null; withEmails: boolean },
): Promise<TimelinePage> {
  const [span] = await query<{ since: Date | null; more: boolean }>(spanSql, [
    incidentId,
    before,
    limits.timelineEntries,
    limits.timelineBytes,
    withEmails,
    limits.text,
  ])
  const { since, more } = span!
  if (since === null) return { duplicates: [], updates: [], photos: [], older: null }
  const parameters = [incidentId, before, since]
  const [duplicates, updates, photos] = await Promise.all([
    query<ListedIncident>(duplicatesSql, parameters),
    query<TimelineUpdate>(updatesSql, parameters),
    query<IncidentPhoto>(photosSql, parameters),
  ])
  return { duplicates, updates, photos, older: more ? since : null }
}

const duplicatesSql = `
  select * from listed_incidents
  where merged_into_id = $1 and created_at >= $3 and ($2::timestamptz is null or created_at < $2)
  order by created_at, id`

const updatesSql = `
  select p.*
  from timeline_entries p
  join incidents d on d.id = p.incident_id
  where (d.id = $1 or d.merged_into_id = $1) and p.created_at >= $3
    and ($2::timestamptz is null or p.created_at < $2)
  order by p.created_at, p.id`

const photosSql = `
  select p.id, p.incident_id, p.path, p.width, p.height, p.created_at, p.update_id, p.hidden_at
  from photos p
  join incidents d on d.id = p.incident_id
  where (d.id = $1 or d.merged_into_id = $1) and p.created_at >= $3
    and ($2::timestamptz is null or p.created_at < $2)
  order by p.created_at, p.id`

/**
 * SQL: the bytes of the email `e` that something came by, as far as it is unfolded; others than
 * staff see none (`$5`).
 */
const emailBytes = (isEmailOf: string) => `coalesce((
      select 900 + escaped_bytes(e.subject) + escaped_bytes(left(e.text, $6))
      from whole_emails e
      where $5::boolean and ${isEmailOf}
    ), 0)`

/**
 * The time from which entries fit on one page; entries of one instant stay together. The email that
 * the incident was reported by is on every page. An entry takes 900 bytes on the page and in the
 * JSON beside its own text, as the email does that it came by; others than staff see no note. Of
 * one incident only the newest rows are read: one with more is cut in any case.
 */
const spanSql = `
  with family as (
    select id, merged_into_id, title, description, created_at from incidents where id = $1 or merged_into_id = $1
  ), entries as (
    select d.created_at as at,
      900 + escaped_bytes(d.title) + escaped_bytes(d.description)
        + ${emailBytes('e.incident_id = d.id and e.update_id is null and e.note_id is null')} as bytes
    from family d
    where d.merged_into_id = $1 and ($2::timestamptz is null or d.created_at < $2)
    union all
    select p.created_at, 900 + escaped_bytes(p.body) + ${emailBytes('e.update_id = p.id')}
    from family d
    cross join lateral (
      select id, created_at, body from incident_updates
      where incident_id = d.id and ($2::timestamptz is null or created_at < $2)
      order by id desc limit $3 + 1
    ) p
    union all
    select p.created_at, 900 + escaped_bytes(p.body) + ${emailBytes('e.note_id = p.id')}
    from family d
    cross join lateral (
      select id, created_at, body from internal_notes
      where incident_id = d.id and ($2::timestamptz is null or created_at < $2)
      order by id desc limit $3 + 1
    ) p
    where $5
    union all
    select p.created_at, 450
    from family d
    cross join lateral (
      select created_at from photos
      where incident_id = d.id and ($2::timestamptz is null or created_at < $2)
      order by id desc limit $3 + 1
    ) p
  ), room as (
    select $4 - ${emailBytes('e.incident_id = $1 and e.update_id is null and e.note_id is null')} as bytes
  )
  select min(at) filter (where fits) as since, coalesce(not bool_and(fits), false) as more
  from (
    select e.at, coalesce(count(*) over newer, 0) < $3::bigint
      and coalesce(sum(e.bytes) over newer, 0) < room.bytes as fits
    from entries e, room
    window newer as (order by e.at desc groups between unbounded preceding and 1 preceding)
  ) counted`
