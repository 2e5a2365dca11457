import { config } from '../../config.js'
import { networkOf } from '../../domain/accounts/network.js'
import { isStaff } from '../../domain/accounts/permissions.js'
import { bounds } from '../../domain/system/limits.js'
import type { CurrentUser } from '../../models/accounts/user.js'
import { countAct, type Limit } from '../../models/system/throttle.js'
import { Problem } from '../answer/problem.js'
import type { Context, Middleware } from '../context.js'

const tenMinutes = 600
const limits = {
  reports: { name: 'reports', points: config.throttles.reports, seconds: tenMinutes },
  writes: { name: 'writes', points: config.throttles.writes, seconds: tenMinutes },
} satisfies Record<string, Limit>

/** Acts of a person that are counted. */
export type Throttled = keyof typeof limits

/** Links for a new password, per account asked for and network, and per network whatever is asked for. */
export const resetLimit: Limit = { name: 'reset', points: config.throttles.signIn, seconds: 900 }
export const resetsLimit: Limit = { name: 'resets', points: 10 * config.throttles.signIn, seconds: 900 }

/** The network that asks. Where a proxy names no address, it is the proxy's own. */
export function clientNetwork(ctx: Context): string {
  return networkOf(ctx.ip) ?? networkOf(ctx.req.socket.remoteAddress ?? '') ?? 'unknown'
}

const day = 86_400
const photos: Limit = { name: 'photos', points: bounds.photosPerDay, seconds: day }
const phonesPhotos: Limit = { name: 'phones-photos', points: bounds.photosPerDayOfPhones, seconds: day }

/** Wrong codes of a second factor per account, whoever asks and wherever, and per network for any account. */
export const codeLimit: Limit = {
  name: 'code',
  points: Math.ceil(config.throttles.signIn / 2),
  seconds: 900,
}
/** Right passwords of an account that has a second factor, without a code. */
export const halfLimit: Limit = { name: 'half', points: 3 * config.throttles.signIn, seconds: 900 }
export const codesLimit: Limit = { name: 'codes', points: 10 * config.throttles.signIn, seconds: 900 }

/** Counts an act that guests may do; past its limit it is 429. */
export async function countOrRefuse(limit: Limit, who: string): Promise<void> {
  const wait = limit.points > 0 ? await countAct(limit, who) : null
  if (wait !== null) throw throttled(wait)
}

/** Bounds what one person can write; staff and machines are not counted (decision 1.6). Goes after `allow`. */
export function throttle(kind: Throttled): Middleware {
  const limit = limits[kind]
  return async (ctx, next) => {
    const who = counted(ctx)
    const wait = who && limit.points > 0 ? await countAct(limit, who) : null
    if (wait !== null) throw throttled(wait)
    return next()
  }
}

/** Whether somebody may have so many more photos prepared and stored today. They are counted whatever becomes of them. */
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

/** All phones share the mobile key, so they are told apart by network. */
function counted(ctx: Context): string | null {
  const { principal, user } = ctx.state
  if (principal === 'mobile') return `mobile:${clientNetwork(ctx)}`
  if (principal === 'unknown' || !user || isStaff(principal)) return null
  return `user:${user.id}`
}
