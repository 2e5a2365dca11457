import { bounds } from '../../../vocabulary/limits.js'
import { networkOf } from '../../../vocabulary/people/network.js'
import { isStaff } from '../../../vocabulary/people/permissions.js'
import { config } from '../../ops/config.js'
import { Problem } from '../answer/problem.js'
import type { Context, Middleware } from '../context.js'
import { countAct, type Limit } from '../protection/throttleStore.js'
import type { CurrentUser } from '../session/user.js'

const tenMinutes = 600
const limits = {
  reports: { name: 'reports', points: config.throttles.reports, seconds: tenMinutes },
  writes: { name: 'writes', points: config.throttles.writes, seconds: tenMinutes },
} satisfies Record<string, Limit>

/** Kinds of writes that are counted per person. */
export type Throttled = keyof typeof limits

/** The client's network. When a proxy names no address, the proxy's own. */
export function clientNetwork(ctx: Context): string {
  return networkOf(ctx.ip) ?? networkOf(ctx.req.socket.remoteAddress ?? '') ?? 'unknown'
}

/** Links to follow by mail, per network. */
export const followLimit: Limit = { name: 'follows', points: config.throttles.follows, seconds: 3600 }

/** Reports kept for guests until they sign in, and their photos, per network. */
export const guestReportsLimit: Limit = {
  name: 'guest-reports',
  points: 2 * config.throttles.signIn,
  seconds: 3600,
}
export const guestPhotosLimit: Limit = {
  name: 'guest-photos',
  points: 6 * config.throttles.signIn,
  seconds: 3600,
}

const day = 86_400
const photos: Limit = { name: 'photos', points: bounds.photosPerDay, seconds: day }
const phonesPhotos: Limit = { name: 'phones-photos', points: bounds.photosPerDayOfPhones, seconds: day }

/** Wrong second-factor codes: per account, and apart for each browser that the account knows. */
export const codeLimit: Limit = {
  name: 'code',
  points: Math.ceil(config.throttles.signIn / 2),
  seconds: 900,
}
/** Right passwords without a code, counted in the same way. */
export const passwordOnlyLimit: Limit = { name: 'half', points: 3 * config.throttles.signIn, seconds: 900 }

/** Counts an act of a guest, or several at once. Throws 429 above the limit. */
export async function countOrRefuse(limit: Limit, who: string, acts = 1): Promise<void> {
  const wait = limit.points > 0 && acts > 0 ? await countAct(limit, who, acts) : null
  if (wait !== null) throw throttled(wait)
}

/**
 * Limits one person's writes; staff and machines are not counted (decision 1.6). Goes after
 * `allow`.
 */
export function throttle(kind: Throttled): Middleware {
  const limit = limits[kind]
  return async (ctx, next) => {
    const who = counted(ctx)
    const wait = who && limit.points > 0 ? await countAct(limit, who) : null
    if (wait !== null) throw throttled(wait)
    return next()
  }
}

/**
 * Whether the user may add this many photos today. The count is kept even if the photos are
 * refused.
 */
export async function mayAddPhotos(ctx: Context, user: CurrentUser, count: number): Promise<boolean> {
  if (count === 0 || isStaff(user.role)) return true
  return ctx.state.principal === 'mobile'
    ? (await countAct(phonesPhotos, networkOf(ctx.ip) ?? ctx.ip, count)) === null
    : (await countAct(photos, String(user.id), count)) === null
}

/** 429 with the seconds to wait. */
export function throttled(seconds: number): Problem {
  return new Problem(429, 'throttled', { headers: { 'Retry-After': String(seconds) } })
}

/** All phones share the mobile key, so they are counted by network. */
function counted(ctx: Context): string | null {
  const { principal, user } = ctx.state
  if (principal === 'mobile') return `mobile:${clientNetwork(ctx)}`
  if (principal === 'unknown' || !user || isStaff(principal)) return null
  return `user:${user.id}`
}
