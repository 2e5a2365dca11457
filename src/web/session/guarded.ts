import { createHash } from 'node:crypto'
import { config } from '../../config.js'
import { siteOf } from '../../domain/accounts/network.js'
import { type Count, type Counter, countAttempt, giveBack } from '../../models/system/throttle.js'
import type { Context, Guessed } from '../context.js'
import { clientNetwork, throttled } from '../request/throttle.js'

/** The kind of secret. Each has its own counters: a right guess at one forgives no wrong guess at another. */
export type Secret = 'password' | 'second-factor'

/** Attempts a site keeps at an account that others have locked by guessing (decision 1.6). */
const spareAttempts = 2

/** More than anybody can try within the window: no limit. */
const uncounted = 1_000_000

const quarter = 900
const hour = 3600

/** The key of an account in the counters: its user, or a hash of an unused address, to store no text. */
export function accountKey(whose: Guessed): string {
  if ('userId' in whose) return `user:${whose.userId}`
  return `address:${createHash('sha256').update(whose.address).digest('base64url')}`
}

/**
 * Tries a secret (decision 1.6); `attempt` returns null for a wrong one. Counts before it tries, as guesses may
 * be parallel; gives back when right. A site with few attempts may try a locked account. Throws 429.
 */
export async function guarded<T>(
  ctx: Context,
  whose: Guessed,
  attempt: (network: string) => Promise<T | null>,
  secret: Secret = 'password',
): Promise<T | null> {
  ctx.state.guessed = whose
  const [network, account, points] = [clientNetwork(ctx), accountKey(whose), config.throttles.signIn]
  const pair = { limit: limitOf(`${secret}-pair`, points, quarter), who: `${account} ${network}` }
  return counted(
    [
      pair,
      { limit: limitOf(`${secret}-network`, 10 * points, quarter), who: network },
      // Locks nothing: it counts how often this site has tried the account.
      { limit: limitOf(`${secret}-site`, uncounted, quarter), who: `${account} ${siteOf(network)}` },
      { limit: limitOf(`${secret}-account`, 10 * points, hour), who: account },
    ],
    () => attempt(network),
  )
}

/** Tries a link's token; wrong tokens count per network, like wrong passwords. Throws 429. */
export async function guardedLink<T>(ctx: Context, attempt: () => Promise<T | null>): Promise<T | null> {
  const limit = limitOf('link', 10 * config.throttles.signIn, quarter)
  return counted([{ limit, who: clientNetwork(ctx) }], attempt)
}

const limitOf = (name: string, points: number, seconds: number) => ({ name, points, seconds })

async function counted<T>(counters: Counter[], attempt: () => Promise<T | null>): Promise<T | null> {
  if (counters[0]!.limit.points === 0) return attempt()
  const counts = await countAttempt(counters)
  const spent = counts.find(({ points, limit }) => points > limit.points)
  const taken = counts.filter((count) => count !== spent)
  if (spent && !isSpare(counts)) {
    await giveBack(taken)
    throw throttled(spent.wait)
  }
  const result = await attempt().catch(async (error: unknown) => {
    await giveBack(taken)
    throw error
  })
  // The first counter is the narrowest, of this account and network: a right guess resets it.
  if (result !== null)
    await giveBack(taken.map((count, i) => ({ ...count, all: i === 0 && counters.length > 1 })))
  else if (spent) throw throttled(spent.wait)
  return result
}

/** Whether only the account's counter is spent, by others: this site has made at most `spareAttempts`. */
function isSpare(counts: Count[]): boolean {
  return counts.length === 4 && counts[2]!.points <= spareAttempts
}
