import { timingSafeEqual } from 'node:crypto'
import { isLocale } from '../../../text/index.js'
import { type Actor, systemActor } from '../../../vocabulary/people/actor.js'
import { isStaff, type Principal } from '../../../vocabulary/people/permissions.js'
import { config } from '../../process/config.js'
import { hashOf } from '../../process/hashing.js'
import type { Context, Middleware, State } from '../context.js'
import { type CurrentUser, mobileReporter } from '../currentUser.js'
import { setLocale } from './language.js'

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
  const digest = hashOf(value)
  let principal: Principal | 'unknown' = 'unknown'
  for (const bearer of bearers) if (timingSafeEqual(digest, bearer.digest)) principal = bearer.principal
  return principal
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
