import { quietSites } from '../../../vocabulary/countedLimits.js'
import { siteOf } from '../../../vocabulary/people/network.js'
import { config } from '../../process/config.js'
import { hashOf } from '../../process/sealing.js'
import type { AttemptedUser, Context } from '../context.js'
import { presentedDevice } from '../session/browserCookies.js'
import { isKnownDevice } from '../session/sessionTable.js'
import { clientNetwork, clientSite } from './clientNetwork.js'
import { type Count, type Counter, countAttempt, giveBack, hour, limitOf, quarterHour } from './counters.js'
import { tooManyRequests } from './throttle.js'

/** Tries a site keeps at an account when others have spent a limit (decision 1.6). */
const spareAttempts = 2

/** More than anyone can try within the window: no limit. */
const uncounted = 1_000_000

/** The key in the counters: of a user, or of an unused address, hashed to store no text. */
function attemptedKey(whose: AttemptedUser): string {
  if ('userId' in whose) return `user:${whose.userId}`
  return `address:${hashOf(whose.address).toString('base64url')}`
}

/**
 * The key of a browser that has signed in to this account before; null for any other. No stranger
 * can spend the counters of such a browser (decision 1.6).
 */
export async function ownBrowser(ctx: Context, whose: AttemptedUser): Promise<string | null> {
  const userId = 'userId' in whose ? whose.userId : null
  const device = presentedDevice(ctx)
  if (device && (await isKnownDevice(userId, device))) return hashOf(device).toString('base64url')
  const { user, session } = ctx.state
  return session && user?.id === userId ? session.hash.toString('base64url') : null
}

/**
 * Tries a password (decision 1.6); `attempt` returns null for a wrong one. Counts before it tries,
 * because guesses may be parallel, and gives back when it was right. Throws 429.
 */
export async function withPasswordLimits<T>(
  ctx: Context,
  whose: AttemptedUser,
  attempt: (network: string) => Promise<T | null>,
): Promise<T | null> {
  ctx.state.signIn.attemptedUser = whose
  const network = clientNetwork(ctx)
  const account = attemptedKey(whose)
  const points = config.throttles.signIn
  if (points === 0) return attempt(network)
  const own = await ownBrowser(ctx, whose)
  const counters = own
    ? [{ limit: limitOf('password-browser', points, quarterHour), who: `${account} ${own}` }]
    : [
        { limit: limitOf('password-pair', points, quarterHour), who: `${account} ${network}` },
        // Locks nothing: it counts how often this site has tried the account.
        { limit: limitOf('password-site', uncounted, quarterHour), who: `${account} ${siteOf(network)}` },
        { limit: limitOf('password-network', 10 * points, quarterHour), who: network },
        { limit: limitOf('password-account', 10 * points, hour), who: account },
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
  else if (spent) throw tooManyRequests(spent.wait)
  return result
}

/**
 * Counts a request for a link by email, per account and site, and per account for its mailbox, of
 * which half is kept for sites that have asked for fewer than three (decision 9.10). A spent
 * network leaves each account its first request of an hour (decision 1.6). Throws 429.
 */
export async function countLinkRequest(ctx: Context, whose: AttemptedUser): Promise<void> {
  const site = clientSite(ctx)
  const account = attemptedKey(whose)
  const points = config.throttles.signIn
  if (points === 0) return
  const own = await ownBrowser(ctx, whose)
  if (own) {
    await count([{ limit: limitOf('link-browser', points, hour), who: `${account} ${own}` }], () => false)
    return
  }
  const ofPair = limitOf('link-pair', Math.ceil(points / 2), hour)
  const { taken } = await count([{ limit: ofPair, who: `${account} ${site}` }], () => false)
  const requests = taken[0]!.points
  const ofAccount = [{ limit: limitOf('link-account', 2 * points, hour), who: account }]
  if (requests > quietSites.most) {
    const busy = limitOf('link-account-busy', Math.floor(2 * points * quietSites.busyShare), hour)
    ofAccount.unshift({ limit: busy, who: account })
  }
  const ofNetwork = { limit: limitOf('link-network', 10 * points, quarterHour), who: site }
  try {
    await count(
      [...ofAccount, ofNetwork],
      (counts) => counts.at(-1)?.limit.name === 'link-network' && requests <= 1,
    )
  } catch (error) {
    await giveBack(taken)
    throw error
  }
}

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
    throw tooManyRequests(spent.wait)
  }
  return { taken, spent }
}
