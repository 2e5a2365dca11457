import { type LimitName, quietSites } from '../../../vocabulary/countedLimits.js'
import { siteOf } from '../../../vocabulary/people/network.js'
import { config } from '../../process/config.js'
import { hashOf } from '../../process/hashing.js'
import type { AttemptedUser, Context } from '../context.js'
import { presentedDevice } from '../session/browserCookies.js'
import { isKnownDevice } from '../session/sessionTable.js'
import {
  type Count,
  type Counter,
  countAttempt,
  hour,
  type Limit,
  limitOf,
  quarterHour,
  uncountAttempt,
  wholeDay,
} from './actCounters.js'
import { clientNetwork, clientSite } from './clientNetwork.js'
import { tooManyRequests } from './throttle.js'

/** Tries a site keeps at an account when others have spent a limit (decision 1.6). */
const spareAttempts = 2

/** More than anyone can try within the window: no limit. */
const uncounted = 1_000_000

/** A counter of attempts to sign in. */
type AttemptCounter = Counter & {
  /** A success resets it: it is of this account and whoever signs in to it. */
  resetOnSuccess?: true
  /** Spent, it lets an attempt through while the counter `of` has at most so many points. */
  spare?: { of: LimitName; most: number }
}

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
  if (config.throttles.signIn === 0) return attempt(network)
  const own = await ownBrowser(ctx, whose)
  const counters = own ? passwordCountersOfBrowser(account, own) : passwordCounters(account, network)
  const { counted, exceeded } = await countOrThrow(counters)
  const result = await attempt(network).catch(async (error: unknown) => {
    await uncountAttempt(counted)
    throw error
  })
  // Of a spared attempt, only the right password opens.
  if (result !== null)
    await uncountAttempt(counted.map((each) => ({ ...each, all: each.resetOnSuccess === true })))
  else if (exceeded) throw tooManyRequests(exceeded.wait)
  return result
}

function passwordCountersOfBrowser(account: string, browser: string): AttemptCounter[] {
  const limit = limitOf('password-browser', config.throttles.signIn, quarterHour)
  return [{ limit, who: `${account} ${browser}`, resetOnSuccess: true }]
}

/** When others have spent a limit, each site still has two tries. */
function passwordCounters(account: string, network: string): AttemptCounter[] {
  const points = config.throttles.signIn
  const spare = { of: 'password-site', most: spareAttempts } as const
  return [
    {
      limit: limitOf('password-pair', points, quarterHour),
      who: `${account} ${network}`,
      resetOnSuccess: true,
    },
    // Locks nothing: it counts how often this site has tried the account.
    { limit: limitOf('password-site', uncounted, quarterHour), who: `${account} ${siteOf(network)}` },
    { limit: limitOf('password-network', 10 * points, quarterHour), who: network, spare },
    { limit: limitOf('password-account', 10 * points, hour), who: account, spare },
  ]
}

/**
 * Counts a request for a link by email, per account and site, and per account for its mailbox, of
 * which half is kept for sites that have asked for fewer than three (decision 9.10). A spent
 * network leaves each account its first request of an hour (decision 1.6). Throws 429.
 */
export async function countLinkRequest(ctx: Context, whose: AttemptedUser): Promise<void> {
  await countBySite(ctx, whose, (account, site) => {
    const points = config.throttles.signIn
    return {
      browser: limitOf('link-browser', points, hour),
      pair: limitOf('link-pair', Math.ceil(points / 2), hour),
      busy: limitOf('link-account-busy', Math.floor(2 * points * quietSites.busyShare), hour),
      counters: [
        { limit: limitOf('link-account', 2 * points, hour), who: account },
        {
          limit: limitOf('link-network', 10 * points, quarterHour),
          who: site,
          spare: { of: 'link-pair', most: 1 },
        },
      ],
    }
  })
}

/**
 * Tries a code of a sign-in email (decision 9.29); `attempt` returns null for a wrong one. Counts
 * before it tries, and gives back what was right, as `withPasswordLimits` does. Wrong codes to an
 * account in unknown browsers are few a day, of which half is kept for sites that have tried fewer
 * than three; whoever finds them spent has the link of the same email. Throws 429.
 */
export async function withEmailCodeLimits<T>(
  ctx: Context,
  whose: AttemptedUser,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  ctx.state.signIn.attemptedUser = whose
  const counted = await countBySite(ctx, whose, (account) => {
    const points = config.throttles.signIn
    return {
      browser: limitOf('email-code-browser', points, hour),
      pair: limitOf('email-code-pair', Math.ceil(points / 2), hour),
      busy: limitOf('email-code-account-busy', Math.floor(points * quietSites.busyShare), wholeDay),
      counters: [{ limit: limitOf('email-code-account', points, wholeDay), who: account }],
    }
  })
  const result = await attempt().catch(async (error: unknown) => {
    await uncountAttempt(counted)
    throw error
  })
  if (result !== null) await uncountAttempt(counted)
  return result
}

/**
 * What an act about an account counts for. `browser`: in one that the account knows, and then
 * nothing else; `pair`: account and site; `counters`: all others; `busy`: of the account, for sites
 * that are not quiet.
 */
type SiteLimits = { browser: Limit; pair: Limit; busy: Limit; counters: AttemptCounter[] }

/** Counts an act, unless nothing is limited. Throws 429, and has counted nothing then. */
async function countBySite(
  ctx: Context,
  whose: AttemptedUser,
  limitsOf: (account: string, site: string) => SiteLimits,
): Promise<CountedAttempt[]> {
  if (config.throttles.signIn === 0) return []
  const [site, account] = [clientSite(ctx), attemptedKey(whose)]
  const { browser, pair, busy, counters } = limitsOf(account, site)
  const own = await ownBrowser(ctx, whose)
  if (own) return (await countOrThrow([{ limit: browser, who: `${account} ${own}` }])).counted
  const { counted } = await countOrThrow([{ limit: pair, who: `${account} ${site}` }])
  const isQuiet = counted[0]!.points <= quietSites.most
  const others = isQuiet ? counters : [{ limit: busy, who: account }, ...counters]
  try {
    return [...counted, ...(await countOrThrow(others, counted)).counted]
  } catch (error) {
    await uncountAttempt(counted)
    throw error
  }
}

type CountedAttempt = AttemptCounter & Count

/**
 * Counts an attempt. `earlier`: what it has counted for already. `exceeded`: a counter that is
 * spent, where the attempt is spared. When it is not, throws 429 and counts nothing.
 */
async function countOrThrow(
  counters: readonly AttemptCounter[],
  earlier: readonly Count[] = [],
): Promise<{ counted: CountedAttempt[]; exceeded: CountedAttempt | undefined }> {
  const counts = await countAttempt(counters)
  const exceeded = counts.find(({ points, limit }) => points > limit.points)
  const counted = counts.filter((each) => each !== exceeded)
  if (exceeded && !isSpared(exceeded, [...earlier, ...counted])) {
    await uncountAttempt(counted)
    throw tooManyRequests(exceeded.wait)
  }
  return { counted, exceeded }
}

function isSpared({ spare }: AttemptCounter, counted: readonly Count[]): boolean {
  if (!spare) return false
  const other = counted.find(({ limit }) => limit.name === spare.of)
  return other !== undefined && other.points <= spare.most
}
