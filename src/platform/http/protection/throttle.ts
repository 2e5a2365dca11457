import { createHmac } from 'node:crypto'
import type { LimitName } from '../../../vocabulary/countedLimits.js'
import { bounds } from '../../../vocabulary/limits.js'
import { networkOf, siteOf } from '../../../vocabulary/people/network.js'
import { isStaff } from '../../../vocabulary/people/permissions.js'
import { statement } from '../../db/change.js'
import { type Query, query } from '../../db/database.js'
import { config } from '../../process/config.js'
import type { Context, Middleware } from '../context.js'
import type { CurrentUser } from '../currentUser.js'
import { Problem } from '../problem.js'

/** `points` acts in `seconds`, counted in the database for all processes (decision 1.6). */
export type Limit = { name: LimitName; points: number; seconds: number }

export function limitOf(name: LimitName, points: number, seconds: number): Limit {
  return { name, points, seconds }
}

/** Seconds. */
export const hour = 3600
export const quarterHour = hour / 4

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

/** Counts acts; a limit of 0 points is none. Null: allowed; else seconds until the next try. */
async function countActs(limit: Limit, who: string, acts: number): Promise<number | null> {
  if (limit.points === 0 || acts === 0) return null
  const { points, wait } = await addPoints({ query }, limit, who, acts)
  return points > limit.points ? wait : null
}

/** Resets a counter after a success. */
export async function forgive(limit: Limit, who: string): Promise<void> {
  await query('delete from throttles where key = $1', [`${limit.name}:${who}`])
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
export async function countAttempt(counters: Counter[]): Promise<Count[]> {
  const rows = await query<{ points: number; expire: number; left: number }>(
    attemptSql(counters.length),
    counters.flatMap(({ limit, who }) => [`${limit.name}:${who}`, limit.seconds * 1000, limit.points]),
  )
  return rows.map(({ points, expire, left }, i) => ({
    ...counters[i]!,
    points,
    expire,
    wait: wholeSeconds(left),
  }))
}

/** Takes a counted attempt back within its period; `all` resets the counter, as after a success. */
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

/** Slack in ms for a clock read before waiting; a later `expire` means the clock went back. */
const slack = 60_000

/** Points stop one above the limit, so that giving one back allows one attempt. */
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
  return `with clock as (select epoch_ms(clock_timestamp())::bigint as ms), ${parts.join(', ')}
    ${results.join(' union all ')} order by i`
}

/** Each part waits for the previous one, so that rows are locked in the order of counting. */
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

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

/** Kinds of writes that are counted per person. */
export type Throttled = 'reports' | 'writes'

/** The client's network. When a proxy names no address, the proxy's own. */
export function clientNetwork(ctx: Context): string {
  return networkOf(ctx.ip) ?? networkOf(ctx.req.socket.remoteAddress ?? '') ?? 'unknown'
}

/**
 * Where a client counts for budgets that strangers share: its IPv4 address, or the /48 of its IPv6
 * one, because one line at home has up to 256 networks of /64 (decision 9.10).
 */
export function clientSite(ctx: Context): string {
  return siteOf(clientNetwork(ctx))
}

/** The client's site as rows may keep it: no one can tell the address from it. */
export function siteTag(ctx: Context): string {
  return createHmac('sha256', config.sessionSecret)
    .update(`network:${clientSite(ctx)}`)
    .digest('base64url')
}

/**
 * Links to follow by email that may be asked for from a site. Above its share of the budget the
 * emails wait (`allowEmail`), so that this many only bounds what is stored.
 */
export const followLimit = limitOf('follows', 10 * config.throttles.follows, hour)

/**
 * Reports kept for guests until they sign in, and their photos, per site. Above it the text
 * travels with the sign-in page and nothing is stored.
 */
export const guestReportsLimit = limitOf('guest-reports', 2 * config.throttles.signIn, hour)
export const guestPhotosLimit = limitOf('guest-photos', 6 * config.throttles.signIn, hour)

const photos = limitOf('photos', bounds.photosPerDay, 24 * hour)
const phonesPhotos = limitOf('phones-photos', bounds.photosPerDayOfPhones, 24 * hour)

/** Wrong second-factor codes: per account, and apart for each browser that the account knows. */
export const codeLimit = limitOf('code', Math.ceil(config.throttles.signIn / 2), quarterHour)
/** Right passwords without a code, counted in the same way. */
export const passwordOnlyLimit = limitOf('half', 3 * config.throttles.signIn, quarterHour)

/** Counts an act of a guest. Throws 429 above the limit. */
export async function countOrRefuse(limit: Limit, who: string): Promise<void> {
  const wait = await countActs(limit, who, 1)
  if (wait !== null) throw tooManyRequests(wait)
}

/**
 * Counts acts. Returns whether they are within the limit; above it the caller acts in another way.
 */
export async function isWithin(limit: Limit, who: string, acts = 1): Promise<boolean> {
  return (await countActs(limit, who, acts)) === null
}

/** Limits a person's writes, not those of staff and machines (decision 1.6). Goes after `allow`. */
export function throttle(kind: Throttled): Middleware {
  const limit = limitOf(kind, config.throttles[kind], 600)
  return async (ctx, next) => {
    const who = counted(ctx)
    if (who) await countOrRefuse(limit, who)
    return next()
  }
}

/** Whether the user may add so many photos today. They count even if they are refused. */
export async function mayAddPhotos(ctx: Context, user: CurrentUser, count: number): Promise<boolean> {
  if (isStaff(user.role)) return true
  return ctx.state.principal === 'mobile'
    ? isWithin(phonesPhotos, clientSite(ctx), count)
    : isWithin(photos, String(user.id), count)
}

/** 429 with the seconds to wait. */
export function tooManyRequests(seconds: number): Problem {
  return new Problem(429, 'throttled', { headers: { 'Retry-After': String(seconds) } })
}

/** All phones share the mobile key, so they are counted by network. */
function counted(ctx: Context): string | null {
  const { principal, user } = ctx.state
  if (principal === 'mobile') return `mobile:${clientNetwork(ctx)}`
  if (principal === 'unknown' || !user || isStaff(principal)) return null
  return `user:${user.id}`
}
