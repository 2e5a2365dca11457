import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { query } from '../database.js'

/** A limit: `points` acts in `seconds`, counted in the database and so by all processes together (decision 1.6). */
export type Limit = { name: string; points: number; seconds: number }

const limiters = new Map<string, RateLimiterPostgres>()

/** Counts an act, or several. Null: go on; else the seconds until the next one may be tried. */
export async function countAct(limit: Limit, who: string, acts = 1): Promise<number | null> {
  try {
    await limiterOf(limit).consume(who, acts)
    return null
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return secondsUntil(refusal)
    throw refusal
  }
}

/** Looks without counting: null while another act is allowed, else the seconds to wait. */
export async function isSpent(limit: Limit, who: string): Promise<number | null> {
  const state = await limiterOf(limit).get(who)
  return state && state.consumedPoints >= limit.points && state.msBeforeNext > 0 ? secondsUntil(state) : null
}

/** Forgets what was counted, after a success. */
export async function forgive(limit: Limit, who: string): Promise<void> {
  await limiterOf(limit).delete(who)
}

const secondsUntil = (state: RateLimiterRes) => Math.max(1, Math.ceil(state.msBeforeNext / 1000))

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
