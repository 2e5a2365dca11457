import { query } from '../../../src/platform/db/database.js'
import type { LimitName } from '../../../src/vocabulary/countedLimits.js'

/** Forgets what the limits have counted: all of them, or those whose name begins with this. */
export async function forgetCounts(prefix = ''): Promise<void> {
  await query(`delete from throttles where key like $1 || '%'`, [prefix])
}

/** As if a limit had counted so much already, of each of those whom it has counted so far. */
export async function setCount(limit: string, points: number): Promise<void> {
  await query(`update throttles set points = $2 where key like $1 || ':%'`, [limit, points])
}

/** As if a limit had counted so much of this one already, which it forgets in an hour. */
export async function setCountOf(limit: LimitName, counted: string, points: number): Promise<void> {
  await query(
    `insert into throttles (key, points, expire) values ($1, $2, extract(epoch from now()) * 1000 + 3600000)
     on conflict (key) do update set points = excluded.points`,
    [`${limit}:${counted}`, points],
  )
}
