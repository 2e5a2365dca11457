import { query } from '../../../platform/db/database.js'
import type { TimelineUpdate } from './timelineEntries.js'

/**
 * The last answer whether an incident is fixed: that it is (`isFixed`), or a resident's that it is
 * not. `hasWrittenSince`: its author has added something to it.
 */
export type Verdict = TimelineUpdate & {
  authorId: number | null
  isFixed: boolean
  hasWrittenSince: boolean
}

/** Null when no one has answered, or only before the moment `since`. */
export async function lastVerdict(incidentId: number, since: Date | null = null): Promise<Verdict | null> {
  const [verdict] = await query<Verdict>(
    `select t.*, e.author_id, t.new_status = 'verified' as is_fixed,
       exists (
         select from incident_updates later
         where later.incident_id = $1 and later.id > e.id and later.author_id = e.author_id
       ) as has_written_since
     from timeline_entries t join incident_updates e on e.id = t.id
     where t.incident_id = $1 and (t.new_status = 'verified' or t.is_reopening)
       and ($2::timestamptz is null or t.created_at >= $2)
     order by t.id desc limit 1`,
    [incidentId, since],
  )
  return verdict ?? null
}
