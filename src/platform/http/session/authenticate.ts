import { timingSafeEqual } from 'node:crypto'
import { isLocale } from '../../../text/index.js'
import { quietSites } from '../../../vocabulary/countedLimits.js'
import { type Actor, systemActor } from '../../../vocabulary/people/actor.js'
import { siteOf } from '../../../vocabulary/people/network.js'
import { isStaff, type Principal } from '../../../vocabulary/people/permissions.js'
import { config } from '../../process/config.js'
import { hashOf } from '../../process/sealing.js'
import { setLocale } from '../answer/negotiate.js'
import type { AttemptedUser, Context, Middleware, State } from '../context.js'
import { featureHooks } from '../featureHooks.js'
import {
  type Count,
  type Counter,
  clientNetwork,
  clientSite,
  countAttempt,
  giveBack,
  hour,
  limitOf,
  quarterHour,
  tooManyRequests,
} from '../protection/throttle.js'
import { presentedDevice } from './browserCookies.js'
import { type CurrentUser, mobileReporter } from './currentUser.js'
import { isKnownDevice } from './sessionTable.js'

/** Fields any form may carry to sign its sender in again (decision 7.12). */
const fields = { password: 'againPassword', code: 'againCode' } as const

/** Fields that are asked for again: no secret is ever written into a page. */
const secret = new Set(['password', 'currentPassword', 'code'])

/** Signs the sender in again when the body has these fields, and removes them. Throws Problem. */
export async function signInAgainIfAsked(ctx: Context, body: Record<string, unknown>): Promise<void> {
  const { [fields.password]: password, [fields.code]: code } = body
  if (password === undefined || !ctx.state.user || ctx.get('Authorization')) return
  delete body[fields.password]
  delete body[fields.code]
  // Left empty by people who signed in again at the provider; the act itself asks once more if they
  // have not.
  if (config.singleSignOn && password === '') return
  await featureHooks.registered().signInAgain(ctx, { password: textOf(password), code: textOf(code) })
}

/** What the page that asks for it carries: the fields sent, and the secrets to type again. */
export function fieldsToSendAgain(body: Record<string, unknown>): {
  kept: [name: string, value: string][]
  askedAgain: string[]
} {
  const given = Object.entries(body).filter(([name]) => name !== 'formToken')
  const kept = given
    .filter(([name]) => !secret.has(name))
    .flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, textOf(each)]))
  return {
    kept,
    askedAgain: given.filter(([name, value]) => secret.has(name) && value !== '').map(([name]) => name),
  }
}

/** The fields without secrets, for a form kept during sign-in. */
export function withoutSecrets(body: Record<string, unknown>): Record<string, unknown> {
  const names = new Set<string>([...secret, ...Object.values(fields)])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The principals a bearer value may be, with their secrets' digests; none without a secret. */
const bearers: { principal: Principal; digest: Buffer }[] = [
  { principal: 'mobile' as const, secret: config.mobileApiKey },
  { principal: 'cron' as const, secret: config.cronSecret },
  { principal: 'inbound' as const, secret: config.inboundEmailSecret },
  { principal: 'monitor' as const, secret: config.metricsToken },
].flatMap(({ principal, secret }) => (secret ? [{ principal, digest: hashOf(secret) }] : []))

/** Identifies the caller: by an Authorization header alone, where there is one (decision 1.3). */
export function authenticate(): Middleware {
  return async (ctx, next) => {
    const header = ctx.get('Authorization')
    if (header) await asBearer(ctx, header)
    else asUser(ctx.state, ctx.state.user)
    const { user } = ctx.state
    if (!header && user && isLocale(user.locale)) setLocale(ctx, user.locale)
    await next()
  }
}

async function asBearer(ctx: Context, header: string): Promise<void> {
  const principal = principalBy(header.trim())
  asUser(ctx.state, principal === 'mobile' ? await mobileReporter() : null)
  ctx.state.principal = principal
  if (principal === 'mobile') {
    ctx.state.actor.via = 'mobile'
    ctx.state.viewer.isSignedIn = false
  }
  if (principal === 'cron') ctx.state.actor = { ...systemActor('cron'), ...askedBy(ctx.state) }
  if (principal === 'inbound') ctx.state.actor = { ...systemActor('email'), ...askedBy(ctx.state) }
}

/**
 * Providers of email can only send a name and a password; theirs may be the secret, and no other
 * key may (decision 4.5).
 */
function principalBy(header: string): Principal | 'unknown' {
  const value = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (value !== undefined) return principalOf(value)
  const pair = Buffer.from(/^Basic +([\w+/=-]+)$/i.exec(header)?.[1] ?? '', 'base64').toString()
  const principal = pair.includes(':') ? principalOf(pair.slice(pair.indexOf(':') + 1)) : 'unknown'
  return principal === 'inbound' ? principal : 'unknown'
}

/** Compares with every secret, by digests in constant time (decision 1.4). */
function principalOf(value: string): Principal | 'unknown' {
  const given = hashOf(value)
  let found: Principal | 'unknown' = 'unknown'
  for (const bearer of bearers) if (timingSafeEqual(given, bearer.digest)) found = bearer.principal
  return found
}

/** Makes this user, or no one, the caller: when a request starts, or after a sign-in in it. */
export function asUser(state: State, user: CurrentUser | null): void {
  state.user = user
  // Without a required second factor, staff count as residents in every rule (decision 7.12).
  const role = user?.lacksSecondFactor ? 'resident' : user?.role
  state.principal = role ?? 'guest'
  state.viewer = { staff: isStaff(state.principal), userId: user?.id ?? null, isSignedIn: user !== null }
  const { session } = state
  state.actor =
    user && role
      ? {
          ...actorOf(state, { ...user, role }),
          ...(session && { sessionHash: session.hash, authenticatedAt: session.authenticatedAt }),
        }
      : { ...systemActor('web'), name: 'Guest', ...askedBy(state) }
}

/** Acts as this person in a request, whoever is signed in. */
export function actorOf(state: State, { id, name, role }: Pick<CurrentUser, 'id' | 'name' | 'role'>): Actor {
  return { type: 'user', id, name, role, via: 'web', ...askedBy(state) }
}

/** What an actor says of the request it acts in. */
export function askedBy(state: Pick<State, 'requestId' | 'client' | 'hasStored'>) {
  const { requestId, client } = state
  const onStored = () => {
    state.hasStored = true
  }
  return { requestId, client, onStored }
}

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
export async function guarded<T>(
  ctx: Context,
  whose: AttemptedUser,
  attempt: (network: string) => Promise<T | null>,
): Promise<T | null> {
  ctx.state.attemptedUser = whose
  const [network, account, points] = [clientNetwork(ctx), attemptedKey(whose), config.throttles.signIn]
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
  const [site, account, points] = [clientSite(ctx), attemptedKey(whose), config.throttles.signIn]
  if (points === 0) return
  const own = await ownBrowser(ctx, whose)
  if (own) {
    await count([{ limit: limitOf('link-browser', points, hour), who: `${account} ${own}` }], () => false)
    return
  }
  const ofPair = limitOf('link-pair', Math.ceil(points / 2), hour)
  const { taken } = await count([{ limit: ofPair, who: `${account} ${site}` }], () => false)
  const asked = taken[0]!.points
  const ofAccount = [{ limit: limitOf('link-account', 2 * points, hour), who: account }]
  if (asked > quietSites.most) {
    const busy = limitOf('link-account-busy', Math.floor(2 * points * quietSites.busyShare), hour)
    ofAccount.unshift({ limit: busy, who: account })
  }
  const ofNetwork = { limit: limitOf('link-network', 10 * points, quarterHour), who: site }
  try {
    await count(
      [...ofAccount, ofNetwork],
      (counts) => counts.at(-1)?.limit.name === 'link-network' && asked <= 1,
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
