import { createHash } from 'node:crypto'
import type { LimitName } from '../../../vocabulary/countedLimits.js'
import { siteOf } from '../../../vocabulary/people/network.js'
import { config } from '../../ops/config.js'
import type { Context, Guessed } from '../context.js'
import { type Count, type Counter, countAttempt, giveBack } from '../protection/throttleStore.js'
import { clientNetwork, throttled } from '../request/throttle.js'
import { presentedDevice } from './browserCookies.js'
import { isKnownDevice } from './session.js'

/** Tries a site keeps at an account when others have spent a limit (decision 1.6). */
const spareAttempts = 2

/** More than anybody can try within the window: no limit. */
const uncounted = 1_000_000

const quarter = 900
const hour = 3600

/**
 * The key of an account in the counters: its user, or a hash of an unused address, to store no
 * text.
 */
function accountKey(whose: Guessed): string {
  if ('userId' in whose) return `user:${whose.userId}`
  return `address:${createHash('sha256').update(whose.address).digest('base64url')}`
}

/**
 * The key of a browser that has signed in to this account before; null for any other. No stranger
 * can spend the counters of such a browser (decision 1.6).
 */
export async function ownBrowser(ctx: Context, whose: Guessed): Promise<string | null> {
  const userId = 'userId' in whose ? whose.userId : null
  const device = presentedDevice(ctx)
  if (device && (await isKnownDevice(userId, device))) return hashed(device)
  const { user, sessionHash } = ctx.state
  return sessionHash && user?.id === userId ? sessionHash.toString('base64url') : null
}

/**
 * Tries a password (decision 1.6); `attempt` returns null for a wrong one. Counts before it tries,
 * because guesses may be parallel, and gives back when it was right. Throws 429.
 */
export async function guarded<T>(
  ctx: Context,
  whose: Guessed,
  attempt: (network: string) => Promise<T | null>,
): Promise<T | null> {
  ctx.state.guessed = whose
  const [network, account, points] = [clientNetwork(ctx), accountKey(whose), config.throttles.signIn]
  if (points === 0) return attempt(network)
  const own = await ownBrowser(ctx, whose)
  const counters = own
    ? [counter('password-browser', points, quarter, `${account} ${own}`)]
    : [
        counter('password-pair', points, quarter, `${account} ${network}`),
        // Locks nothing: it counts how often this site has tried the account.
        counter('password-site', uncounted, quarter, `${account} ${siteOf(network)}`),
        counter('password-network', 10 * points, quarter, network),
        counter('password-account', 10 * points, hour, account),
      ]
  // When others have spent a limit, each site still has two tries: only the right password opens.
  const { taken, spent } = await count(
    counters,
    ([, site]) => site !== undefined && site.points <= spareAttempts,
  )
  const result = await attempt(network).catch(async (error: unknown) => {
    await giveBack(taken)
    throw error
  })
  // The first counter is the narrowest, of this account and its asker: a right password resets it.
  if (result !== null) await giveBack(taken.map((each, i) => ({ ...each, all: i === 0 })))
  else if (spent) throw throttled(spent.wait)
  return result
}

/**
 * Counts a request for a link by email, per account and network, and per account for its mailbox.
 * A spent network leaves each account its first request of an hour (decision 1.6). Throws 429.
 */
export async function countLinkRequest(ctx: Context, whose: Guessed): Promise<void> {
  const [network, account, points] = [clientNetwork(ctx), accountKey(whose), config.throttles.signIn]
  if (points === 0) return
  const own = await ownBrowser(ctx, whose)
  const counters = own
    ? [counter('link-browser', points, hour, `${account} ${own}`)]
    : [
        counter('link-pair', Math.ceil(points / 2), hour, `${account} ${network}`),
        counter('link-account', 2 * points, hour, account),
        counter('link-network', 10 * points, quarter, network),
      ]
  await count(counters, ([pair, , spentNetwork]) => spentNetwork !== undefined && pair!.points <= 1)
}

const counter = (name: LimitName, points: number, seconds: number, who: string): Counter => ({
  limit: { name, points, seconds },
  who,
})

/** Counts an attempt. When a counter is spent and none to spare, throws 429 and counts nothing. */
async function count(
  counters: Counter[],
  isSpare: (counts: Count[]) => boolean,
): Promise<{ taken: Count[]; spent: Count | undefined }> {
  const counts = await countAttempt(counters)
  const spent = counts.find(({ points, limit }) => points > limit.points)
  const taken = counts.filter((each) => each !== spent)
  if (spent && !isSpare(counts)) {
    await giveBack(taken)
    throw throttled(spent.wait)
  }
  return { taken, spent }
}

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url')
