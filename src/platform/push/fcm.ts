import { type HttpOutcome, type OutboundOptions, post } from '../net/outboundHttp.js'
import { config } from '../process/config.js'
import { accessTokens } from './googleAccessToken.js'
import type { PushMessage } from './pushMessage.js'
import { type PushResult, pushTimeout, resultWithoutAnswer, unreachable } from './pushResult.js'

/**
 * Sends to one phone; never throws. FCM cannot recognise a push that is sent a second time, so one
 * that may have reached it is not repeated when its answer does not come.
 */
export type SendToPhone = (
  token: string,
  message: PushMessage,
  options?: Partial<Pick<OutboundOptions, 'deadline' | 'stop'>>,
) => Promise<PushResult>

/**
 * A sender by Firebase Cloud Messaging, HTTP v1 (decision 4.10), with the access token that it
 * fetched last.
 */
export function fcmSender(): SendToPhone {
  const tokens = accessTokens()
  return async (token, message, { stop, deadline = pushTimeout } = {}) => {
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
    return resultOf(outcome)
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
function resultOf(outcome: HttpOutcome): PushResult {
  const { code } = outcome
  if (code === null) return resultWithoutAnswer(outcome)
  if (code >= 200 && code < 300) return { as: 'sent' }
  // Google redirects nothing.
  if (code >= 300 && code < 400) return unreachable(outcome)
  const error = errorIn(outcome.body.toString())
  const why = `push ${code}`
  if (error.errorCode === 'UNREGISTERED') return { as: 'dead' }
  if (code === 400 && blamesToken(error)) return { as: 'dead' }
  if (code === 401 || code === 403 || code === 408 || code === 429 || code >= 500)
    return { as: 'retry', why, after: outcome.after }
  return { as: 'failed', why }
}

const blamesToken = ({ fields, message }: FcmError) =>
  fields.includes('message.token') || /registration token/i.test(message)

type Detail = { errorCode?: string; fieldViolations?: { field?: string }[] }

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
