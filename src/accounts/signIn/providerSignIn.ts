import { respond } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { Problem } from '../../platform/http/problem.js'
import { actorOf } from '../../platform/http/session/authenticate.js'
import { forgetProviderKey } from '../../platform/http/session/browserCookies.js'
import type { SingleSignOn } from '../../platform/process/config/singleSignOn.js'
import { config, publicAddress } from '../../platform/process/config.js'
import { log } from '../../platform/process/log.js'
import { freshMinutes } from '../../vocabulary/people/actor.js'
import { claimedAddress } from '../../vocabulary/people/identity.js'
import {
  type IdentityRefusal,
  type IdentitySignIn,
  idTokenOf,
  signInByIdentity,
} from '../singleSignOn/identities.js'
import {
  identityOf,
  ProviderAway,
  ProviderRefused,
  providerAddress,
  type Returned,
  signOutAddress,
} from '../singleSignOn/identityProvider.js'
import { offerLink } from '../singleSignOn/linkConfirmation.js'
import { type AttemptPurpose, attemptBehind, beginAttempt } from '../singleSignOn/providerAttempt.js'
import { unseal } from '../users/sealedForUser.js'
import { User } from '../users/user.js'
import { askForCode, completeSignIn } from './completeSignIn.js'

/** The configured provider. Throws 404 when there is none. */
export function requireProvider(): SingleSignOn {
  if (!config.singleSignOn) throw new Problem(404, 'not_found')
  return config.singleSignOn
}

/** The provider's address at which a sign-in starts. Throws 404, 503 when the provider is away. */
export async function authorizationUrl(ctx: Context, purpose: AttemptPurpose): Promise<URL> {
  requireProvider()
  try {
    return await providerAddress(beginAttempt(ctx, purpose))
  } catch (error) {
    throw providerProblem(ctx, error, purpose.next)
  }
}

/**
 * Signs in whom the provider sends back, or asks whether to link that identity. An answer is
 * accepted once. Throws 401, 403, 409, 503.
 */
export async function handleCallback(ctx: Context, returned: Returned): Promise<void> {
  const rules = requireProvider()
  const attempt = attemptBehind(ctx, returned.state ?? '')
  if (!attempt) throw signInRefused(ctx, 'sign_in_over', null)
  const identity = await checkedIdentity(ctx, returned, attempt)
  forgetProviderKey(ctx)
  if (attempt.kind !== 'signIn' && attempt.userId !== ctx.state.user?.id)
    throw signInRefused(ctx, 'sign_in_over', attempt.next)
  if (attempt.kind === 'link') {
    const who = claimedAddress(identity.claims) ?? identity.claims.sub
    const extras = { who, offer: offerLink(ctx, identity.claims) }
    return respond(ctx, { view: 'accounts/confirmLink', extras })
  }
  const signIn = await signInByIdentity((person) => actorOf(ctx.state, person), identity, rules)
  if ('refused' in signIn) throw signInRefused(ctx, problems[signIn.refused], attempt.next)
  await completeProviderSignIn(ctx, signIn, attempt)
}

/** What the provider says of who came back. Throws 401; 503 when the provider is away. */
async function checkedIdentity(
  ctx: Context,
  returned: Returned,
  attempt: NonNullable<ReturnType<typeof attemptBehind>>,
) {
  try {
    return await identityOf(returned, attempt)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw providerProblem(ctx, error, attempt.next)
    // The provider's answer is used up. One that did not come may still be tried again.
    forgetProviderKey(ctx)
    throw signInRefused(ctx, problems[error.why], attempt.next)
  }
}

/** Why no one is signed in: by the provider, or here. */
const problems = {
  denied: 'provider_denied',
  invalid: 'provider_refused',
  unknown: 'identity_unknown',
  unverified: 'identity_unverified',
  other: 'identity_other',
} as const satisfies Record<ProviderRefused['why'] | IdentityRefusal['refused'], string>

async function completeProviderSignIn(
  ctx: Context,
  signIn: IdentitySignIn,
  purpose: AttemptPurpose,
): Promise<void> {
  const { next } = purpose
  const { proof, unknownRoles, keptAdmin } = signIn
  if (unknownRoles.length > 0)
    log.warn({ userId: signIn.userId, values: unknownRoles }, 'the role claim names no role of ours')
  if (keptAdmin) log.warn({ userId: signIn.userId }, 'the last admin stays one, whatever the role claim says')
  if (purpose.kind === 'signInAgain') {
    if (signIn.userId !== purpose.userId) throw signInRefused(ctx, 'identity_other', next)
    const age = Date.now() - (proof.authenticatedAt?.getTime() ?? 0)
    if (age > freshMinutes * 60_000) throw signInRefused(ctx, 'provider_not_asked', next)
  }
  const user = await User.forSignIn(signIn.userId)
  const target = { next, carriedForm: null, proof }
  if (user.hasSecondFactor && !proof.secondFactor) return askForCode(ctx, user, target, { byPassword: false })
  const lacksSecondFactor = user.lacksSecondFactor && !proof.secondFactor
  await completeSignIn(ctx, { ...user, lacksSecondFactor }, target)
}

/**
 * Where the provider ends its own session, when an identity began the one of this request and the
 * provider can say so; null otherwise.
 */
export async function providerSignOutUrl(ctx: Context): Promise<URL | null> {
  const { session, user } = ctx.state
  if (!session?.byIdentity || !user || !config.singleSignOn) return null
  const sealed = await idTokenOf(session.hash)
  const idToken = sealed && (unseal(sealed, user.id)?.toString() ?? null)
  return signOutAddress(idToken, `${publicAddress()}/`)
}

/**
 * The problem that the sign-in page shows, with where it would have led. To someone who is signed
 * in it is a page of its own, 403 because they are no guest.
 */
function signInRefused(ctx: Context, code: string, next: string | null): Problem {
  if (ctx.state.user) return new Problem(403, code)
  ctx.state.signIn.returnTo = { next, carriedForm: null }
  return new Problem(401, code)
}

/** A provider that is away becomes a problem of the sign-in page; any other error stays. */
function providerProblem(ctx: Context, error: unknown, next: string | null): unknown {
  if (!(error instanceof ProviderAway)) return error
  if (!ctx.state.user) ctx.state.signIn.returnTo = { next, carriedForm: null }
  return new Problem(503, 'provider_away', { headers: { 'Retry-After': '5' } })
}
