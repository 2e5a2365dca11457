import { createSign } from 'node:crypto'
import { networkFailure } from '../net/networkFailure.js'
import { type HttpOutcome, post } from '../net/outboundHttp.js'
import { config } from '../process/config.js'
import type { PushMessage, PushResult } from './pushMessage.js'

/** Milliseconds for a whole request, from connecting to the last byte. */
const patience = 30_000

/**
 * Sends to one phone. `stop` ends it at once, `deadline` after milliseconds. Never throws. The
 * service knows no key by which it would recognise a second try, so a push that reached it is not
 * repeated when its answer does not come.
 */
export type SendToPhone = (
  token: string,
  message: PushMessage,
  stop?: AbortSignal,
  deadline?: number,
) => Promise<PushResult>

/**
 * A sender by Firebase Cloud Messaging, HTTP v1 (decision 4.10), with the access token that it
 * fetched last.
 */
export function fcmSender(): SendToPhone {
  const tokens = accessTokens()
  return async (token, message, stop, deadline = patience) => {
    const { projectId, clientEmail, privateKey } = config.push
    if (!projectId || !clientEmail || !privateKey) return { as: 'failed', why: 'push not configured' }
    const access = await tokens.get({ clientEmail, privateKey }, stop)
    if (stop?.aborted) return { as: 'unsent' }
    if (!('token' in access)) return access
    const outcome = await post(
      {
        url: `${config.push.url}/v1/projects/${projectId}/messages:send`,
        headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(bodyOf(token, message))),
      },
      { deadline, policy: 'anywhere', stop },
    )
    if (outcome.code === 401) tokens.forget()
    return verdict(outcome)
  }
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
function verdict(outcome: HttpOutcome): PushResult {
  const { code, isWritten } = outcome
  if (code === null) {
    const wasCutShort = outcome.failure === 'timeout' || outcome.failure === 'stopped'
    if (wasCutShort && isWritten) return { as: 'unconfirmed', why: 'push not confirmed' }
    return outcome.failure === 'stopped' ? { as: 'unsent' } : unreachable(outcome)
  }
  if (code >= 200 && code < 300) return { as: 'sent' }
  if (code >= 300 && code < 400) return unreachable(outcome)
  const error = errorIn(outcome.body.toString())
  const why = `push ${code}`
  if (error.errorCode === 'UNREGISTERED') return { as: 'dead' }
  if (code === 400 && blamesToken(error)) return { as: 'dead' }
  if (code === 401 || code === 403 || code === 408 || code === 429 || code >= 500)
    return { as: 'retry', why, after: outcome.after }
  return { as: 'failed', why }
}

type Retry = { as: 'retry'; why: string }

/** For a request without an answer of Google's: a redirect is of something in between. */
function unreachable({ failure, ...outcome }: HttpOutcome): Retry {
  const code = 'errorCode' in outcome ? outcome.errorCode : null
  const words = failure === 'timeout' ? 'timeout' : (networkFailure(code) ?? 'unreachable')
  return { as: 'retry', why: `push ${words}` }
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
/** Seconds that our request for a token is valid. */
const assertionSeconds = 3_600
/** Seconds that a token counts as valid when the service says nothing. */
const defaultTokenSeconds = 3_600
/** Seconds before its end at which a token is renewed. */
const renewSecondsBefore = 120

type AccessToken = { token: string; until: number }

/**
 * Tokens of the service account: one is fetched for all callers, and used until shortly before it
 * ends.
 */
function accessTokens() {
  let cached: AccessToken | null = null
  let request: Promise<AccessToken | Retry> | null = null
  return {
    /** The token, or why there is none. `stop`, the same of all callers, ends the wait for it. */
    async get(account: Account, stop: AbortSignal | undefined): Promise<AccessToken | Retry> {
      if (cached && cached.until > Date.now()) return cached
      request ??= fetchToken(account, stop).finally(() => {
        request = null
      })
      const fetched = await request
      if ('token' in fetched) cached = fetched
      return fetched
    },
    /** For a token that the service refuses. */
    forget(): void {
      cached = null
    },
  }
}

/** The operator may mend the cause of any refusal, so messages wait instead of failing. */
async function fetchToken(account: Account, stop: AbortSignal | undefined): Promise<AccessToken | Retry> {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: assertion(account, Math.floor(Date.now() / 1000)),
  })
  const outcome = await post(
    {
      url: config.push.tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(form.toString()),
    },
    { deadline: patience, policy: 'anywhere', stop },
  )
  if (outcome.code === null || (outcome.code >= 300 && outcome.code < 400)) return unreachable(outcome)
  if (outcome.code < 200 || outcome.code >= 300) return { as: 'retry', why: `push sign-in ${outcome.code}` }
  const answer = parsedAnswer(outcome.body)
  if (answer === null) return { as: 'retry', why: 'push unreachable' }
  const { access_token: token, expires_in: seconds } = answer
  if (typeof token !== 'string') return { as: 'retry', why: 'push sign-in without token' }
  const life = (Number(seconds) || defaultTokenSeconds) - renewSecondsBefore
  return { token, until: Date.now() + life * 1000 }
}

/** Null for what is no JSON. */
function parsedAnswer(body: Buffer): Record<string, unknown> | null {
  try {
    return Object(JSON.parse(body.toString())) as Record<string, unknown>
  } catch {
    return null
  }
}

/** A signed JSON Web Token in the service account's name (RFC 7523). */
function assertion({ clientEmail, privateKey }: Account, now: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: clientEmail, scope, aud: config.push.tokenUrl, iat: now, exp: now + assertionSeconds }
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`
}
