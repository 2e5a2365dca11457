import { setTimeout as sleep } from 'node:timers/promises'
import type { Configuration, ServerMetadata } from 'openid-client'
import { boundedFetch } from '../../platform/net/boundedFetch.js'
import type { SingleSignOn } from '../../platform/process/config/singleSignOn.js'
import { config } from '../../platform/process/config.js'
import { log } from '../../platform/process/log.js'
import type { Claims } from '../../vocabulary/people/identity.js'

/**
 * Providers that know `select_account` but do not name their prompts; others refuse what they do
 * not know.
 */
const choosing = ['accounts.google.com', 'login.microsoftonline.com']

/**
 * What makes a provider ask who it is, though it still knows someone (OpenID Connect Core
 * 3.1.2.1): the password where it cannot offer a choice, nothing where it knows neither.
 */
export function choicePrompt({
  issuer,
  prompt_values_supported: known,
}: {
  issuer: string
  prompt_values_supported?: unknown
}): { prompt?: string } {
  const prompts = Array.isArray(known) ? known : null
  const chooses = prompts?.includes('select_account') ?? choosing.includes(new URL(issuer).hostname)
  if (chooses) return { prompt: 'select_account' }
  return prompts === null || prompts.includes('login') ? { prompt: 'login' } : {}
}

/** Milliseconds for everything that one request of ours asks of the provider, to the last byte. */
const patience = 8_000
/** Milliseconds that a sign-out waits for it: it is only asked for an address. */
const patienceAtSignOut = 2_000
/**
 * Milliseconds until the provider's metadata is read again. While that fails, the metadata read
 * last is used.
 */
const metadataLife = 600_000
/** Seconds its clock may differ from ours. */
const clockTolerance = 60
/** Characters of an ID token as a hint in an address, which servers in front limit to 8 KB. */
const longestHint = 4_096

/**
 * What connects a redirect to the provider with its callback. Only this browser can know `nonce`
 * and `verifier`.
 */
export type SignInAttempt = {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
  kind: 'signIn' | 'signInAgain' | 'link'
}

/** What came back of it: the query of the request, without what no check needs. */
export type Returned = { [name in 'code' | 'state' | 'iss' | 'error']?: string | undefined }

/** The provider cannot be reached, is late or answers nonsense: not the fault of the person. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

/** The provider signed no one in, or what it said does not hold. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
  constructor(readonly why: 'denied' | 'invalid') {
    super(why)
  }
}

/** Seconds; a sign-in at the provider that is older than our longest session is asked for again. */
const oldestSignIn = 30 * 86_400

/**
 * The provider's address that starts `attempt`. Asks for the password to sign in again, and who it
 * is to link an identity: the provider may still know someone else. Throws ProviderAway.
 */
export async function providerAddress(attempt: SignInAttempt): Promise<URL> {
  const { client, provider } = await connected(AbortSignal.timeout(patience))
  const isAgain = attempt.kind === 'signInAgain'
  return client.buildAuthorizationUrl(provider, {
    redirect_uri: attempt.redirectUri,
    scope: 'openid email profile',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    // Asking for an age makes providers say when they asked for the password.
    max_age: isAgain ? '0' : String(oldestSignIn),
    ...(isAgain ? { prompt: 'login' } : {}),
    ...(attempt.kind === 'link' ? choicePrompt(provider.serverMetadata()) : {}),
  })
}

/**
 * Exchanges the code of an attempt that came back, and checks issuer, audience, signature, nonce
 * and times. Returns the claims and the ID token. Throws ProviderAway, ProviderRefused.
 */
export async function identityOf(
  returned: Returned,
  attempt: SignInAttempt,
): Promise<{ claims: Claims; idToken: string | null }> {
  const { client, provider } = await connected(AbortSignal.timeout(patience))
  const answer = new URL(attempt.redirectUri)
  for (const [name, value] of Object.entries(returned)) if (value) answer.searchParams.set(name, value)
  const checks = {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  }
  const tokens = await client
    .authorizationCodeGrant(provider, answer, checks)
    .catch((error: unknown) => failed(error, 'code'))
  const claims = tokens.claims()!
  const more = await moreClaims(client, provider, tokens.access_token, claims.sub, claims)
  const { email, email_verified, xms_edov } = Object.hasOwn(claims, 'email') ? claims : more
  // All three from one source: what the user information says about its address proves nothing
  // about the token's.
  const address = { email, email_verified, xms_edov }
  // Only the ID token tells how and when this sign-in was done.
  const { amr, auth_time } = claims
  const idToken = tokens.id_token!.length <= longestHint ? tokens.id_token! : null
  return { claims: { ...more, ...claims, ...address, amr, auth_time }, idToken }
}

/**
 * The address where the provider ends its own session; null when it names none or is away. Never
 * throws.
 */
export async function signOutAddress(idToken: string | null, returnTo: string): Promise<URL | null> {
  const late = sleep(patienceAtSignOut, null, { ref: false })
  return Promise.race([endSessionUrl(idToken, returnTo).catch(() => null), late])
}

async function endSessionUrl(idToken: string | null, returnTo: string): Promise<URL | null> {
  const { client, provider } = await connected(AbortSignal.timeout(patience))
  if (!provider.serverMetadata().end_session_endpoint) return null
  return client.buildEndSessionUrl(provider, {
    post_logout_redirect_uri: returnTo,
    ...(idToken !== null && idToken.length <= longestHint ? { id_token_hint: idToken } : {}),
  })
}

type Client = typeof import('openid-client')

/**
 * Providers may put a claim into the user information alone, which is asked for when one of ours is
 * missing.
 */
async function moreClaims(
  client: Client,
  provider: Configuration,
  accessToken: string,
  subject: string,
  known: object,
): Promise<Record<string, unknown>> {
  const { roleClaim } = settings()
  const hasRoles =
    roleClaim === null || [roleClaim, roleClaim.split('.')[0]!].some((name) => Object.hasOwn(known, name))
  const isWhole = Object.hasOwn(known, 'email') && hasRoles
  if (isWhole || !provider.serverMetadata().userinfo_endpoint) return {}
  return client
    .fetchUserInfo(provider, accessToken, subject)
    .catch((error: unknown) => failed(error, 'user information'))
}

/**
 * The library, loaded when first needed, and the provider with its keys unread: each sign-in reads
 * the current ones.
 */
async function connected(signal: AbortSignal): Promise<{ client: Client; provider: Configuration }> {
  const client = await import('openid-client')
  const { issuer, clientId, clientSecret } = settings()
  const metadata = await metadataOf(client, issuer).catch((error: unknown) => failed(error, 'metadata'))
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = methods.includes('client_secret_basic')
    ? client.ClientSecretBasic(clientSecret)
    : client.ClientSecretPost(clientSecret)
  const provider = new client.Configuration(
    metadata,
    clientId,
    { [client.clockTolerance]: clockTolerance },
    authentication,
  )
  provider[client.customFetch] = boundedFetch(signal)
  client.enableNonRepudiationChecks(provider)
  if (issuer.startsWith('http:')) client.allowInsecureRequests(provider)
  return { client, provider }
}

function settings(): SingleSignOn {
  if (!config.singleSignOn) throw new Error('single sign-on is not configured')
  return config.singleSignOn
}

type Read = { issuer: string; at: number; metadata: ServerMetadata }
let read: Read | null = null
let reading: Promise<Read> | null = null

/**
 * The provider's metadata: read by one request for all that wait for it, and kept while it cannot
 * be read again.
 */
async function metadataOf(client: Client, issuer: string): Promise<ServerMetadata> {
  const known = read?.issuer === issuer ? read : null
  if (known && Date.now() - known.at < metadataLife) return known.metadata
  reading ??= discover(client, issuer).finally(() => {
    reading = null
  })
  const fresh = await reading.catch((error: unknown) => {
    if (known) return known
    throw error
  })
  return fresh.metadata
}

async function discover(client: Client, issuer: string): Promise<Read> {
  const provider = await client.discovery(new URL(issuer), settings().clientId, undefined, undefined, {
    [client.customFetch]: boundedFetch(AbortSignal.timeout(patience)),
    execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
  })
  read = { issuer, at: Date.now(), metadata: provider.serverMetadata() }
  return read
}

/** Errors the provider's person, or their attempt, is the cause of. */
const denials = [
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]
const troubles = ['server_error', 'temporarily_unavailable', 'invalid_client', 'unauthorized_client']
const invalid = [
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_UNSUPPORTED_OPERATION',
]

/**
 * Throws ProviderAway or ProviderRefused. Logs fixed words only: the library's errors hold codes,
 * tokens and claims.
 */
function failed(error: unknown, at: 'metadata' | 'code' | 'user information'): never {
  const { code, error: errorCode, status } = error as { code?: unknown; error?: unknown; status?: unknown }
  const answer = typeof errorCode === 'string' ? errorCode : ''
  const isRefusal =
    at !== 'metadata' &&
    !troubles.includes(answer) &&
    !(typeof status === 'number' && status >= 500) &&
    (answer !== '' || invalid.includes(String(code)))
  const reason = typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : (error as Error)?.name
  log.warn(
    { at, reason, answer: namedErrors.has(answer) ? answer : answer && 'another error' },
    'single sign-on failed',
  )
  if (!isRefusal) throw new ProviderAway(at)
  throw new ProviderRefused(denials.includes(answer) ? 'denied' : 'invalid')
}

/** The errors of OAuth and OpenID Connect that a log names; others may be any text. */
const namedErrors = new Set([...denials, ...troubles, 'invalid_grant', 'invalid_request', 'invalid_scope'])
