import { createSign } from 'node:crypto'
import { config } from '../ops/config.js'

type Account = { clientEmail: string; privateKey: string }

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
/**
 * Seconds: how long a token request is valid, and how early before its expiry a token is renewed.
 */
const life = 3_600
const early = 120
/** Milliseconds for a whole request. */
const patience = 10_000

type Held = { token: string; until: number }
type TokenRefused = { as: 'retry'; why: string }
let held: Held | null = null
let fetching: Promise<Held | TokenRefused> | null = null

/**
 * A bearer token of the service account (cached, fetched once for all callers), or why there is
 * none.
 */
export async function accessToken(account: Account): Promise<string | TokenRefused> {
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
