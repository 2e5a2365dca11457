import { createSign } from 'node:crypto'
import type { DeliveryOutcome } from '../../vocabulary/email/delivery.js'
import { networkFailure, secondsToWait } from '../net/boundedFetch.js'
import { withDeadline } from '../net/deadline.js'
import { config } from '../process/config.js'

/** The notification shown on a phone, and data to open the right place in the app. */
export type PushMessage = {
  title: string
  body: string
  /** For the app on a phone. Texts, because the messaging service accepts nothing else. */
  data: Readonly<Record<string, string>>
  /** The page that a browser opens for it. */
  page: string
  /** A newer push with the same key replaces an unread one. */
  collapseKey: string
}

/** `dead`: the push service no longer knows the device. */
export type PushResult = DeliveryOutcome | { as: 'dead' }

/**
 * Milliseconds for a whole request, from connecting to the last byte. `fetch` gives up connecting
 * after 10 s by itself: a push that ends by our deadline has reached the service.
 */
const patience = 30_000

/**
 * Sends to one device by Firebase Cloud Messaging, HTTP v1 (decision 4.10). Never throws. The
 * service knows no key by which it would recognise a second try, so a push that we stopped waiting
 * for is not repeated.
 */
export async function sendPush(
  token: string,
  message: PushMessage,
  stop?: AbortSignal,
  deadline = patience,
): Promise<PushResult> {
  const { projectId, clientEmail, privateKey } = config.push
  if (!projectId || !clientEmail || !privateKey) return { as: 'failed', why: 'push not configured' }
  let isAsked = false
  try {
    const bearer = await accessToken({ clientEmail, privateKey })
    if (typeof bearer !== 'string') return bearer
    if (stop?.aborted) return { as: 'unsent' }
    isAsked = true
    const body = bodyOf(token, message)
    return await withDeadline(deadline, (signal) => post(projectId, bearer, body, signal), stop)
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    const isLate = name === 'TimeoutError'
    if (isAsked && (isLate || stop?.aborted)) return { as: 'unconfirmed', why: 'push not confirmed' }
    return { as: 'retry', why: `push ${isLate ? 'timeout' : (networkFailure(cause?.code) ?? 'unreachable')}` }
  }
}

async function post(
  projectId: string,
  bearer: string,
  body: unknown,
  signal: AbortSignal,
): Promise<PushResult> {
  const response = await fetch(`${config.push.url}/v1/projects/${projectId}/messages:send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal,
  })
  const text = await response.text()
  if (response.ok) return { as: 'sent' }
  return verdict(response, errorIn(text))
}

/** Covers Android and iOS; on both, a newer message with the same key replaces the older one. */
function bodyOf(token: string, { title, body, data, collapseKey }: PushMessage) {
  return {
    message: {
      token,
      notification: { title, body },
      data,
      android: { collapse_key: collapseKey, notification: { tag: collapseKey } },
      apns: { headers: { 'apns-collapse-id': collapseKey } },
    },
  }
}

type FcmError = { errorCode: string; message: string; fields: string[] }

/**
 * A device is dead only when FCM says so of this very token: a proxy's 404, or a missing or wrong
 * project, would otherwise cost us every device in the building.
 */
function verdict(response: Response, error: FcmError): PushResult {
  const { status } = response
  const why = `push ${status}`
  if (error.errorCode === 'UNREGISTERED') return { as: 'dead' }
  if (status === 400 && blamesToken(error)) return { as: 'dead' }
  if (status === 401) forgetAccessToken()
  if (status === 401 || status === 403 || status === 408 || status === 429 || status >= 500)
    return { as: 'retry', why, after: secondsToWait(response.headers.get('retry-after')) }
  return { as: 'failed', why }
}

const blamesToken = ({ fields, message }: FcmError) =>
  fields.includes('message.token') || /registration token/i.test(message)

function errorIn(text: string): FcmError {
  const none = { errorCode: '', message: '', fields: [] }
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; details?: unknown[] } }
    const details = (Array.isArray(error?.details) ? error.details : []) as Detail[]
    return {
      errorCode: details.find(({ errorCode }) => errorCode)?.errorCode ?? '',
      message: String(error?.message ?? ''),
      fields: details.flatMap(
        ({ fieldViolations }) => fieldViolations?.map(({ field }) => String(field)) ?? [],
      ),
    }
  } catch {
    return none
  }
}

type Detail = { errorCode?: string; fieldViolations?: { field?: string }[] }

type Account = { clientEmail: string; privateKey: string }

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
/**
 * Seconds: how long a token request is valid, and how early before its expiry a token is renewed.
 */
const life = 3_600
const early = 120

type Held = { token: string; until: number }
type TokenRefused = { as: 'retry'; why: string }
let held: Held | null = null
let fetching: Promise<Held | TokenRefused> | null = null

/** A bearer token of the service account, fetched once for all callers; or why there is none. */
async function accessToken(account: Account): Promise<string | TokenRefused> {
  if (held && held.until > Date.now()) return held.token
  fetching ??= fetchToken(account).finally(() => {
    fetching = null
  })
  const got = await fetching
  if ('as' in got) return got
  held = got
  return got.token
}

/** For a token that FCM refuses. */
export function forgetAccessToken(): void {
  held = null
}

/** The operator may mend the cause of any refusal, so messages wait instead of failing. */
async function fetchToken(account: Account): Promise<Held | TokenRefused> {
  const response = await fetch(config.push.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(account, Math.floor(Date.now() / 1000)),
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  })
  if (!response.ok) return { as: 'retry', why: `push sign-in ${response.status}` }
  const { access_token: token, expires_in: seconds } = (await response.json()) as Record<string, unknown>
  if (typeof token !== 'string') return { as: 'retry', why: 'push sign-in without token' }
  return { token, until: Date.now() + ((Number(seconds) || life) - early) * 1000 }
}

/** A signed JSON Web Token in the service account's name (RFC 7523). */
function assertion({ clientEmail, privateKey }: Account, now: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: clientEmail, scope, aud: config.push.tokenUrl, iat: now, exp: now + life }
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`
}
