import { networkFailure } from '../net/boundedFetch.js'
import { config } from '../ops/config.js'
import { accessToken, forgetAccessToken } from './pushToken.js'

/** The notification shown on a phone. */
export type PushMessage = {
  title: string
  body: string
  data: Record<string, string>
  collapseKey: string
}

/**
 * Outcome. `dead`: the push service no longer knows the device. `after`: seconds it asks us to
 * wait.
 */
export type PushResult =
  | { as: 'sent' }
  | { as: 'dead' }
  | { as: 'failed'; why: string }
  | { as: 'retry'; why: string; after?: number | undefined }

/** Milliseconds for a whole request, from connecting to the last byte. */
const patience = 10_000

/**
 * Sends to one device by Firebase Cloud Messaging, HTTP v1 (decision 4.10). Never throws; ends in
 * time.
 */
export async function sendPush(token: string, message: PushMessage, stop?: AbortSignal): Promise<PushResult> {
  const { projectId, clientEmail, privateKey } = config.push
  if (!projectId || !clientEmail || !privateKey) return { as: 'failed', why: 'push not configured' }
  try {
    const bearer = await accessToken({ clientEmail, privateKey })
    return typeof bearer === 'string' ? await post(projectId, bearer, bodyOf(token, message), stop) : bearer
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    const broke = stop?.aborted ? 'stopped half-way' : networkFailure(cause?.code)
    return { as: 'retry', why: `push ${name === 'TimeoutError' ? 'timeout' : (broke ?? 'unreachable')}` }
  }
}

async function post(
  projectId: string,
  bearer: string,
  body: unknown,
  stop: AbortSignal | undefined,
): Promise<PushResult> {
  const response = await fetch(`${config.push.url}/v1/projects/${projectId}/messages:send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.any([AbortSignal.timeout(patience), ...(stop ? [stop] : [])]),
  })
  const text = await response.text()
  if (response.ok) return { as: 'sent' }
  return verdict(response, errorIn(text))
}

/** Covers Android and iOS; on both, an incident's newer message replaces the older one. */
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
    return { as: 'retry', why, after: secondsAsked(response) }
  return { as: 'failed', why }
}

const blamesToken = ({ fields, message }: FcmError) =>
  fields.includes('message.token') || /registration token/i.test(message)

/** Retry-After in seconds; undefined for a date or nonsense, so that our own backoff applies. */
function secondsAsked(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

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
