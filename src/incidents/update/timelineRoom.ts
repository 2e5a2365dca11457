import { createHash } from 'node:crypto'
import type { Change } from '../../platform/db/change.js'
import { Conflict } from '../../vocabulary/conflict.js'
import type { LimitName } from '../../vocabulary/countedLimits.js'
import { bounds } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { networkOf } from '../../vocabulary/people/network.js'

const day = 86_400_000

/**
 * Counts an entry by somebody who is not staff; `writer`: whose share it is of, such as `user:7` or
 * an email's domain. Throws Conflict when the share or the incident is full (decision 1.6).
 */
export async function requireRoom(
  c: Change,
  incidentId: number,
  writer: string,
  bytes: number,
): Promise<void> {
  const [size] = await c.query<{ entries: number; bytes: number }>(
    `select count(*)::integer as entries, coalesce(sum(octet_length(body)), 0)::integer as bytes
     from incident_updates where incident_id = $1`,
    [incidentId],
  )
  if (size!.entries >= bounds.timelineEntries || size!.bytes >= bounds.timelineBytes)
    throw new Conflict('timeline_full')
  const share = `${incidentId}:${createHash('sha256').update(writer).digest('base64url')}`
  const entries = await countUp(c, 'timeline-entries', share, 1)
  const text = await countUp(c, 'timeline-bytes', share, bytes)
  if (entries > bounds.writerEntries || text > bounds.writerBytes) throw new Conflict('timeline_full')
}

/** Whose share an actor's comments are of: a person's, or one of the network for all its phones. */
export function writerOf({ id, via, client = '' }: Actor): string {
  return via === 'mobile' ? `network:${networkOf(client) ?? 'unknown'}` : `user:${id}`
}

/** Adds to a counter in this transaction, so that what is refused counts for nothing. Returns the sum. */
async function countUp(c: Change, limit: LimitName, who: string, points: number): Promise<number> {
  const [row] = await c.query<{ points: number }>(
    `insert into throttles as t (key, points, expire) values ($1, $2, $4)
     on conflict (key) do update set
       points = case when t.expire > $3::bigint then t.points + excluded.points else excluded.points end,
       expire = case when t.expire > $3::bigint then t.expire else excluded.expire end
     returning points`,
    [`${limit}:${who}`, points, c.now.getTime(), c.now.getTime() + bounds.writerDays * day],
  )
  return row!.points
}
