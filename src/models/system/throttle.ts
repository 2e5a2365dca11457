import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { query } from '../../database.js'
import { epochMs } from './instants.js'

/** A limit: `points` acts in `seconds`, counted in the database and so by all processes together (decision 1.6). */
export type Limit = { name: string; points: number; seconds: number }

const limiters = new Map<string, RateLimiterPostgres>()

/** Counts an act, or several. Null: go on; else the seconds until the next one may be tried. */
export async function countAct(limit: Limit, who: string, acts = 1): Promise<number | null> {
  try {
    await limiterOf(limit).consume(who, acts)
    return null
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return seconds(refusal.msBeforeNext)
    throw refusal
  }
}

/** Forgets what was counted, after a success. */
export async function forgive(limit: Limit, who: string): Promise<void> {
  await limiterOf(limit).delete(who)
}

/** One counter of several that an attempt is counted by. */
export type Counter = { limit: Limit; who: string }

/** A counter after the attempt: `points` with it, `expire` in ms of the epoch by the database's clock, `wait` in seconds. */
export type Count = Counter & { points: number; expire: number; wait: number }

/**
 * Counts an attempt by each counter in turn, up to the first one that is spent: that is the last of what is returned,
 * with `points` above its limit. One statement, and each row is locked as it is counted: however many attempts come at
 * once, exactly as many as the limit allows get through. Counters of one kind always stand at the same place in the
 * list, so no two attempts wait for each other.
 */
export async function countAttempt(counters: Counter[]): Promise<Count[]> {
  const rows = await query<{ points: number; expire: number; left: number }>(
    attemptSql(counters.length),
    counters.flatMap(({ limit, who }) => [`${limit.name}:${who}`, limit.seconds * 1000, limit.points]),
  )
  return rows.map(({ points, expire, left }, i) => ({ ...counters[i]!, points, expire, wait: seconds(left) }))
}

/**
 * Takes an attempt back where it was counted, unless that time is over; `all` forgets every attempt of that counter, as
 * after a success.
 */
export async function giveBack(counts: (Count & { all?: boolean })[]): Promise<void> {
  if (counts.length === 0) return
  await query(
    giveBackSql(counts.length),
    counts.flatMap(({ limit, who, expire, all = false }) => [
      `${limit.name}:${who}`,
      expire,
      limit.points,
      all,
    ]),
  )
}

/** Slack for a clock read before waiting for a row; what expires later than that was counted before the clock went back. */
const slack = 60_000

/** Points stop one above the limit, so that one given back makes room for one. */
function attemptSql(counters: number): string {
  const parts = Array.from({ length: counters }, (_, i) => {
    const [key, life, most] = [`$${3 * i + 1}`, `$${3 * i + 2}::bigint`, `$${3 * i + 3}::integer`]
    const running = `t.expire > excluded.expire - ${life} and t.expire <= excluded.expire + ${slack}`
    const unlessSpent = i === 0 ? '' : `, c${i - 1} where c${i - 1}.points <= $${3 * i}::integer`
    return `c${i} as (
      insert into throttles as t (key, points, expire) select ${key}, 1, clock.ms + ${life} from clock${unlessSpent}
      on conflict (key) do update set
        points = case when ${running} then least(t.points, ${most}) + 1 else 1 end,
        expire = case when ${running} then t.expire else excluded.expire end
      returning points, expire)`
  })
  const results = parts.map(
    (_, i) => `select ${i} as i, points, expire, expire - ms as left from c${i}, clock`,
  )
  return `with clock as (select ${epochMs('clock_timestamp()')}::bigint as ms), ${parts.join(', ')}
    ${results.join(' union all ')} order by i`
}

/** Each part waits for the one before, so that rows are locked in the order in which they are counted. */
function giveBackSql(counts: number): string {
  const parts = Array.from({ length: counts }, (_, i) => {
    const [key, expire, most, all] = [1, 2, 3, 4].map((n) => `$${4 * i + n}`)
    const afterThat = i === 0 ? '' : ` and (select count(*) from g${i - 1}) >= 0`
    return `g${i} as (
      update throttles set points = case when ${all}::boolean then 0 else greatest(least(points, ${most}::integer) - 1, 0) end
      where key = ${key} and expire = ${expire}::bigint${afterThat} returning 1)`
  })
  return `with ${parts.join(', ')} select count(*) from g${counts - 1}`
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

function limiterOf(limit: Limit): RateLimiterPostgres {
  const known = limiters.get(limit.name)
  if (known) return known
  const made = new RateLimiterPostgres({
    storeClient: unnamedStatements,
    storeType: 'client',
    tableName: 'throttles',
    tableCreated: true,
    keyPrefix: limit.name,
    points: limit.points,
    duration: limit.seconds,
    clearExpiredByTimeout: false,
  })
  limiters.set(limit.name, made)
  return made
}

/** Prepared statements belong to one server connection, which a transaction-mode pooler may swap under us. */
const unnamedStatements = {
  async query({ text, values }: { text: string; values: unknown[] }) {
    const rows = await query(text, values)
    return { rows, rowCount: rows.length }
  },
}
