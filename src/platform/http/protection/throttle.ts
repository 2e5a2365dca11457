import { isStaff } from '../../../vocabulary/people/permissions.js'
import { config } from '../../process/config.js'
import type { Context, Middleware } from '../context.js'
import { Problem } from '../problem.js'
import { countActs, type Limit, limitOf } from './actCounters.js'
import { clientNetwork } from './clientNetwork.js'

/** Kinds of writes that are counted per person. */
export type Throttled = 'reports' | 'writes'

/** Limits a person's writes, not those of staff and machines (decision 1.6). Goes after `allow`. */
export function throttle(kind: Throttled): Middleware {
  const limit = limitOf(kind, config.throttles[kind], 600)
  return async (ctx, next) => {
    const who = countedPerson(ctx)
    if (who) await countOrRefuse(limit, who)
    return next()
  }
}

/** Counts an act of a guest. Throws 429 above the limit. */
export async function countOrRefuse(limit: Limit, who: string): Promise<void> {
  const wait = await countActs(limit, who, 1)
  if (wait !== null) throw tooManyRequests(wait)
}

/** 429 with the seconds to wait. */
export function tooManyRequests(seconds: number): Problem {
  return new Problem(429, 'throttled', { headers: { 'Retry-After': String(seconds) } })
}

/** All phones share the mobile key, so they are counted by network. */
function countedPerson(ctx: Context): string | null {
  const { principal, user } = ctx.state
  if (principal === 'mobile') return `mobile:${clientNetwork(ctx)}`
  if (principal === 'unknown' || !user || isStaff(principal)) return null
  return `user:${user.id}`
}
