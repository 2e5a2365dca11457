import { config } from '../config.js'
import { isStaff } from '../domain/permissions.js'
import { countAct, type Limit } from '../models/throttle.js'
import type { Context, Middleware } from './context.js'
import { Problem } from './problem.js'

const tenMinutes = 600
const limits = {
  reports: { name: 'reports', points: config.throttles.reports, seconds: tenMinutes },
  writes: { name: 'writes', points: config.throttles.writes, seconds: tenMinutes },
} satisfies Record<string, Limit>

/** Failed sign-ins per account and address (decision 1.6). */
export const signInLimit: Limit = { name: 'sign-in', points: config.throttles.signIn, seconds: 900 }

/** Links for a new password, per address asked for and asker, and per asker whatever they ask for. */
export const resetLimit: Limit = { name: 'reset', points: config.throttles.signIn, seconds: 900 }
export const resetsLimit: Limit = { name: 'resets', points: 10 * config.throttles.signIn, seconds: 900 }
/** Wrong guesses of the password one has, by somebody who is signed in. */
export const passwordLimit: Limit = { name: 'password', points: config.throttles.signIn, seconds: 900 }

/** Wrong codes of a second factor per account, whoever asks and wherever, and per network for any account. */
export const codeLimit: Limit = {
  name: 'code',
  points: Math.ceil(config.throttles.signIn / 2),
  seconds: 900,
}
export const codesLimit: Limit = { name: 'codes', points: 10 * config.throttles.signIn, seconds: 900 }

/** Counts an act that guests may do; past its limit it is 429. */
export async function countOrRefuse(limit: Limit, who: string): Promise<void> {
  const wait = limit.points > 0 ? await countAct(limit, who) : null
  if (wait !== null) throw throttled(wait)
}

/** Bounds what one person can write; staff and machines are not counted (decision 1.6). Goes after `allow`. */
export function throttle(kind: keyof typeof limits): Middleware {
  const limit = limits[kind]
  return async (ctx, next) => {
    const who = counted(ctx)
    const wait = who && limit.points > 0 ? await countAct(limit, who) : null
    if (wait !== null) throw throttled(wait)
    return next()
  }
}

/** 429 with the seconds to wait. */
export function throttled(seconds: number): Problem {
  return new Problem(429, 'throttled', { headers: { 'Retry-After': String(seconds) } })
}

/** All phones share the mobile key, so they are told apart by address. */
function counted(ctx: Context): string | null {
  const { principal, user } = ctx.state
  if (principal === 'mobile') return `mobile:${ctx.ip}`
  if (principal === 'unknown' || !user || isStaff(principal)) return null
  return `user:${user.id}`
}
