import { createPrivateKey, createSign } from 'node:crypto'
import { post } from '../net/outboundHttp.js'
import { config } from '../process/config.js'
import { pushTimeout, type Retry, unreachable } from './pushResult.js'

/** The service account of Firebase, by which we send. */
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
export function accessTokens() {
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

/** Whether this is a private key that we can sign with: RSA, in PEM. */
export function isSigningKey(privateKey: string): boolean {
  try {
    return createPrivateKey(privateKey).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/**
 * Never throws. Every failure is for later: an operator can mend what the service refuses, such as
 * a wrong key, and the pushes that wait are sent then.
 */
async function fetchToken(account: Account, stop: AbortSignal | undefined): Promise<AccessToken | Retry> {
  if (!isSigningKey(account.privateKey)) return { as: 'retry', why: 'push sign-in key' }
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
    { deadline: pushTimeout, policy: 'anywhere', stop },
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

/** The fields of an answer; null when it is no JSON. */
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
