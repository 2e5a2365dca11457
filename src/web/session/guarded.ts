import { createHash } from 'node:crypto'
import { config } from '../../config.js'
import { siteOf } from '../../domain/accounts/network.js'
import { type Count, type Counter, countAttempt, giveBack } from '../../models/system/throttle.js'
import type { Context, Guessed } from '../context.js'
import { clientNetwork, throttled } from '../request/throttle.js'

/** What is guessed at. Each has counters of its own: being right about one forgives no wrong guess at another. */
export type Secret = 'password' | 'second-factor'

/** Attempts that a site still has at an account which others have closed by guessing (decision 1.6). */
const spareAttempts = 2

/** More than can be tried in the time. */
const uncounted = 1_000_000

const quarter = 900
const hour = 3600

/** Who an account is to counters: its user, or the address nobody has, of which they need not keep the text. */
export function accountKey(whose: Guessed): string {
  if ('userId' in whose) return `user:${whose.userId}`
  return `address:${createHash('sha256').update(whose.address).digest('base64url')}`
}

/**
 * Tries a secret of an account. The attempt is counted before it is made and given back when it was right, so that
 * guesses sent at once count like guesses one by one: per account and network, per network, and per account (decision
 * 1.6). `attempt` gets the network that asks; null from it is a wrong guess, and is what is returned then. A network that
 * has hardly tried an account is heard even when others have closed it: who is right gets in. Throws 429.
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
      // Closes nothing: it tells how often this site has tried an account that is closed.
      { limit: limitOf(`${secret}-site`, uncounted, quarter), who: `${account} ${siteOf(network)}` },
      { limit: limitOf(`${secret}-account`, 10 * points, hour), who: account },
    ],
    () => attempt(network),
  )
}

/** Opens what a link's token is for; wrong tokens count per network, like wrong passwords. Throws 429. */
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
  // The first counter is the narrowest: it is of this account alone, so being right forgives all of it.
  if (result !== null)
    await giveBack(taken.map((count, i) => ({ ...count, all: i === 0 && counters.length > 1 })))
  else if (spent) throw throttled(spent.wait)
  return result
}

/** Whether only the account is spent, by others: this site has tried it no more than so often. */
function isSpare(counts: Count[]): boolean {
  return counts.length === 4 && counts[2]!.points <= spareAttempts
}
