import { createHash, timingSafeEqual } from 'node:crypto'
import { isLocale } from '../../../text/index.js'
import { isStaff, type Principal } from '../../../vocabulary/people/permissions.js'
import { config } from '../../ops/config.js'
import { setLocale } from '../answer/locale.js'
import type { Context, Middleware, State } from '../context.js'
import { type CurrentUser, User } from './user.js'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * The principals a bearer value may be, with the digest of each secret; without a secret there is
 * no entry.
 */
const bearers: { principal: Principal; digest: Buffer }[] = [
  { principal: 'mobile' as const, secret: config.mobileApiKey },
  { principal: 'cron' as const, secret: config.cronSecret },
  { principal: 'inbound' as const, secret: config.inboundEmailSecret },
  { principal: 'monitor' as const, secret: config.metricsToken },
].flatMap(({ principal, secret }) => (secret ? [{ principal, digest: digest(secret) }] : []))

/**
 * Identifies the caller. An Authorization header alone decides; a cookie beside it is ignored
 * (decision 1.3).
 */
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
  asUser(ctx.state, principal === 'mobile' ? await User.mobileReporter() : null)
  ctx.state.principal = principal
  if (principal === 'mobile') {
    ctx.state.actor.via = 'mobile'
    ctx.state.viewer.isSignedIn = false
  }
  if (principal === 'cron') ctx.state.actor = machine(ctx.state, 'cron')
  if (principal === 'inbound') ctx.state.actor = machine(ctx.state, 'email')
}

/**
 * Providers of mail can only send a name and a password; theirs may be the secret, and no other key
 * may (decision 4.5).
 */
function principalBy(header: string): Principal | 'unknown' {
  const value = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (value !== undefined) return principalOf(value)
  const pair = Buffer.from(/^Basic +([\w+/=-]+)$/i.exec(header)?.[1] ?? '', 'base64').toString()
  const principal = pair.includes(':') ? principalOf(pair.slice(pair.indexOf(':') + 1)) : 'unknown'
  return principal === 'inbound' ? principal : 'unknown'
}

/**
 * Compares with every secret in constant time over digests (decision 1.4): timing reveals nothing.
 */
function principalOf(value: string): Principal | 'unknown' {
  const given = digest(value)
  let found: Principal | 'unknown' = 'unknown'
  for (const bearer of bearers) if (timingSafeEqual(given, bearer.digest)) found = bearer.principal
  return found
}

/**
 * Makes this user, or nobody, the caller: at the start of a request, or after a sign-in within it.
 */
export function asUser(state: State, user: CurrentUser | null): void {
  state.user = user
  // Without a required second factor, staff count as residents in every rule (decision 7.12).
  state.principal = user?.lacksSecondFactor ? 'resident' : (user?.role ?? 'guest')
  state.viewer = { staff: isStaff(state.principal), userId: user?.id ?? null, isSignedIn: user !== null }
  const asked = askedBy(state)
  state.actor = user
    ? {
        type: 'user',
        id: user.id,
        name: user.name,
        role: user.lacksSecondFactor ? 'resident' : user.role,
        via: 'web',
        ...asked,
        ...(state.sessionHash ? { sessionHash: state.sessionHash } : {}),
        ...(state.authenticatedAt ? { authenticatedAt: state.authenticatedAt } : {}),
      }
    : { type: 'system', id: null, name: 'Guest', role: null, via: 'web', ...asked }
}

function machine(state: State, via: 'cron' | 'email') {
  return { type: 'system' as const, id: null, name: 'System', role: null, via, ...askedBy(state) }
}

/** What an actor says of the request it acts in. */
export function askedBy(state: Pick<State, 'requestId' | 'client' | 'hasStored'>) {
  const { requestId, client } = state
  const onStored = () => {
    state.hasStored = true
  }
  return { requestId, client, onStored }
}
