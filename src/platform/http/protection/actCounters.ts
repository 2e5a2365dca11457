import type { LimitName } from '../../../vocabulary/countedLimits.js'
import { type Query, query } from '../../db/database.js'
import { type Statement, statement } from '../../db/statement.js'

/** `points` acts in `seconds`, counted in the database for all processes (decision 1.6). */
export type Limit = { name: LimitName; points: number; seconds: number }

export function limitOf(name: LimitName, points: number, seconds: number): Limit {
  return { name, points, seconds }
}

/** Seconds. */
export const hour = 3600
export const quarterHour = hour / 4
export const wholeDay = 24 * hour

/**
 * Adds points to a counter; one whose period is over begins a new one. Returns the sum, and the
 * seconds until the period ends. Times are the database's, as processes on several machines count
 * together: that of the change, where one is given, else the present. In a change, what is rolled
 * back counts for nothing.
 */
export async function addPoints(
  database: { query: Query; now?: Date },
  { name, seconds }: Pick<Limit, 'name' | 'seconds'>,
  who: string,
  points: number,
): Promise<{ points: number; wait: number }> {
  const { text, values } = statement((bind) => {
    const now = `coalesce(${bind(database.now ?? null)}::timestamptz, clock_timestamp())`
    const life = `${bind(seconds * 1000)}::bigint`
    const isRunning = `t.expire > excluded.expire - ${life}`
    return `insert into throttles as t (key, points, expire)
      values (${bind(`${name}:${who}`)}, ${bind(points)}, epoch_ms(${now})::bigint + ${life})
      on conflict (key) do update set
        points = case when ${isRunning} then t.points + excluded.points else excluded.points end,
        expire = case when ${isRunning} then t.expire else excluded.expire end
      returning points, expire - epoch_ms(${now})::bigint as left`
  })
  const [row] = await database.query<{ points: number; left: number }>(text, values)
  return { points: row!.points, wait: wholeSeconds(row!.left) }
}

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

/** Counts acts; a limit of 0 points is none. Null: allowed; else seconds until the next try. */
export async function countActs(limit: Limit, who: string, acts: number): Promise<number | null> {
  if (limit.points === 0 || acts === 0) return null
  const { points, wait } = await addPoints({ query }, limit, who, acts)
  return points > limit.points ? wait : null
}

/**
 * Counts acts. Returns whether they are within the limit; above it the caller acts in another way.
 */
export async function isWithin(limit: Limit, who: string, acts = 1): Promise<boolean> {
  return (await countActs(limit, who, acts)) === null
}

/** Sets a counter back to 0, after a success. */
export async function resetCounter(limit: Limit, who: string): Promise<void> {
  await query('delete from throttles where key = $1', [`${limit.name}:${who}`])
}

/** Counts one act less, which may be that of an earlier request. */
export async function uncountAct(limit: Limit, who: string): Promise<void> {
  await query('update throttles set points = greatest(points - 1, 0) where key = $1', [
    `${limit.name}:${who}`,
  ])
}

/** One of the counters that count an attempt. */
export type Counter = { limit: Limit; who: string }

/** After the attempt: `points` with it, `expire` in epoch ms by the database, `wait` in seconds. */
export type Count = Counter & { points: number; expire: number; wait: number }

/**
 * Counts an attempt by each counter up to the first that is spent, which is last in the result. Row
 * locks make the limits exact. Keep counters of one kind at the same place in the list: another
 * order could deadlock.
 */
export async function countAttempt<C extends Counter>(counters: readonly C[]): Promise<(C & Count)[]> {
  const { text, values } = attemptStatement(counters)
  const rows = await query<{ points: number; expire: number; left: number }>(text, values)
  return rows.map(({ points, expire, left }, i) => {
    return { ...counters[i]!, points, expire, wait: wholeSeconds(left) }
  })
}

/** Counts an attempt less within its period; `all` sets the counter to 0, as after a success. */
export async function uncountAttempt(counts: readonly (Count & { all?: boolean })[]): Promise<void> {
  if (counts.length === 0) return
  const { text, values } = uncountStatement(counts)
  await query(text, values)
}

/** Slack in ms for a clock read before waiting; a later `expire` means the clock went back. */
const slack = 60_000

/** Points stop one above the limit, so that one attempt less allows another. */
function attemptStatement(counters: readonly Counter[]): Statement {
  return statement((bind) => {
    const limits = counters.map(({ limit }) => `${bind(limit.points)}::integer`)
    const parts = counters.map(({ limit, who }, i) => {
      const life = `${bind(limit.seconds * 1000)}::bigint`
      const isRunning = `t.expire > excluded.expire - ${life} and t.expire <= excluded.expire + ${slack}`
      const unlessSpent = i === 0 ? '' : `, c${i - 1} where c${i - 1}.points <= ${limits[i - 1]}`
      return `c${i} as (
        insert into throttles as t (key, points, expire)
        select ${bind(`${limit.name}:${who}`)}, 1, clock.ms + ${life} from clock${unlessSpent}
        on conflict (key) do update set
          points = case when ${isRunning} then least(t.points, ${limits[i]}) + 1 else 1 end,
          expire = case when ${isRunning} then t.expire else excluded.expire end
        returning points, expire)`
    })
    const results = parts.map(
      (_, i) => `select ${i} as i, points, expire, expire - ms as left from c${i}, clock`,
    )
    return `with clock as (select epoch_ms(clock_timestamp())::bigint as ms), ${parts.join(', ')}
      ${results.join(' union all ')} order by i`
  })
}

/** Each part waits for the previous one, so that rows are locked in the order of counting. */
function uncountStatement(counts: readonly (Count & { all?: boolean })[]): Statement {
  return statement((bind) => {
    const parts = counts.map(({ limit, who, expire, all = false }, i) => {
      const oneLess = `greatest(least(points, ${bind(limit.points)}::integer) - 1, 0)`
      const afterFormer = i === 0 ? '' : ` and (select count(*) from g${i - 1}) >= 0`
      return `g${i} as (
        update throttles set points = case when ${bind(all)}::boolean then 0 else ${oneLess} end
        where key = ${bind(`${limit.name}:${who}`)} and expire = ${bind(expire)}::bigint${afterFormer} returning 1)`
    })
    return `with ${parts.join(', ')} select count(*) from g${counts.length - 1}`
  })
}
