import { createVerify, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config } from '../../../src/platform/process/config.js'
import { fcmSender } from '../../../src/platform/push/fcm.js'
import { listenOnFreePort } from '../../support/run/ports.js'

let service: { origin: string; stop: () => Promise<void> }
let asked: Asked[]
let sendToPhone: ReturnType<typeof fcmSender>
let onSend: () => Answer
let onToken: () => Answer

beforeAll(startService)
afterAll(stopService)
beforeEach(answerAsUsual)

describe('a push', () => {
  /** The error document of the messaging service. */
  const refusal = (code: number, status: string, detail: object = {}, text = 'No.') => ({
    status: code,
    body: { error: { code, message: text, status, details: [detail] } },
  })

  const fcm = (errorCode: string) => ({
    '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError',
    errorCode,
  })

  const invalid = fcm('INVALID_ARGUMENT')
  const ofToken = { fieldViolations: [{ field: 'message.token' }] }

  it('goes to the project’s address as the messaging service wants it', async () => {
    expect(await sendPush()).toEqual({ as: 'sent' })
    const [{ authorization, body }] = to('/v1/projects/building/messages:send') as [Asked]
    expect(authorization).toBe('Bearer bearer-1')
    expect(JSON.parse(body)).toEqual({
      message: {
        token: 'phone-1',
        notification: { title: 'Resolved · INC-7', body: 'Lift B stuck' },
        data: { incidentId: '7', event: 'incident.status_changed' },
        android: { collapse_key: 'incident-7', notification: { tag: 'incident-7' } },
        apns: { headers: { 'apns-collapse-id': 'incident-7' } },
      },
    })
  })

  it('is signed for by the service account, once for many', async () => {
    await Promise.all(Array.from({ length: 5 }, sendPush))
    await sendPush()
    expect(to('/token').length).toBe(1)
    const form = new URLSearchParams(to('/token')[0]!.body)
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const [head, claims, signature] = form.get('assertion')!.split('.') as [string, string, string]
    const verifier = createVerify('RSA-SHA256').update(`${head}.${claims}`)
    expect(verifier.verify(publicKey, signature, 'base64url')).toBe(true)
    expect(decoded(head)).toEqual({ alg: 'RS256', typ: 'JWT' })
    const { iat, exp, ...rest } = decoded(claims)
    expect(rest).toEqual({
      iss: 'sender@building.example',
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: config.push.tokenUrl,
    })
    expect(exp - iat).toBe(3600)
    expect(iat).toBeGreaterThanOrEqual(began)
    expect(iat).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it('fetches a new bearer before the old one ends', async () => {
    onToken = () => ({ body: { access_token: 'short', expires_in: 60 } })
    await sendPush()
    await sendPush()
    expect(to('/token').length).toBe(2)
  })

  it('fetches a new bearer when the service stops taking the old one, and is for later', async () => {
    onSend = () => ({ status: 401 })
    expect(await sendPush()).toMatchObject({ as: 'retry', why: 'push 401' })
    onSend = () => ({})
    expect(await sendPush()).toEqual({ as: 'sent' })
    expect(to('/token').length).toBe(2)
  })

  const noToken = 'The registration token is not a valid FCM registration token'
  const wait = { 'retry-after': '90' }
  const date = { 'retry-after': 'Sat, 21 Nov 2026 07:00:00 GMT' }
  const elsewhere = { location: 'http://127.0.0.1:1/' }
  const later = (why: string, after?: number): Outcome => ({ as: 'retry', why, ...(after ? { after } : {}) })
  const never = (why: string): Outcome => ({ as: 'failed', why })
  it.each<[string, Answer, Outcome]>([
    ['an unregistered token', refusal(404, 'NOT_FOUND', fcm('UNREGISTERED')), { as: 'dead' }],
    ['what is no token', refusal(400, 'INVALID_ARGUMENT', invalid, noToken), { as: 'dead' }],
    ['a field of the token', refusal(400, 'INVALID_ARGUMENT', ofToken), { as: 'dead' }],
    ['a 404 that is not about the token', refusal(404, 'NOT_FOUND'), never('push 404')],
    ['a 404 of something else', { status: 404, body: '<html>not here</html>' }, never('push 404')],
    ['an argument that is not the token', refusal(400, 'INVALID_ARGUMENT', invalid), never('push 400')],
    ['429 with its wait', { ...refusal(429, 'RESOURCE_EXHAUSTED'), headers: wait }, later('push 429', 90)],
    ['500', refusal(500, 'INTERNAL', fcm('INTERNAL')), later('push 500')],
    ['503 with a date', { ...refusal(503, 'UNAVAILABLE'), headers: date }, later('push 503')],
    ['403 for the account', refusal(403, 'PERMISSION_DENIED'), later('push 403')],
    ['403 for the project', refusal(403, 'PERMISSION_DENIED', fcm('SENDER_ID_MISMATCH')), later('push 403')],
    ['a redirect', { status: 302, headers: elsewhere }, later('push unreachable')],
    ['hanging up', 'hang up', later('push connection lost')],
  ])('answered with %s', async (_what, given, outcome) => {
    onSend = () => given
    expect(await sendPush()).toEqual(outcome)
  })

  it.each<[string, Answer, string]>([
    ['refuses', { status: 400, body: { error: 'invalid_grant' } }, 'push sign-in 400'],
    ['answers nonsense', { body: '{"access_token": 5}' }, 'push sign-in without token'],
    ['answers no JSON', { body: '<html>' }, 'push unreachable'],
    ['hangs up', 'hang up', 'push connection lost'],
  ])('is for later when the token service %s', async (_what, given, why) => {
    onToken = () => given
    expect(await sendPush()).toEqual({ as: 'retry', why })
    expect(to('/v1/projects/building/messages:send')).toEqual([])
  })

  it('that the service took is not repeated when it answers late or never, or this process stops', async () => {
    const unconfirmed = { as: 'unconfirmed', why: 'push not confirmed' }
    const pushes = () => asked.filter(({ path }) => path !== '/token').length
    onSend = () => 'late'
    expect(await sendPush()).toEqual({ as: 'sent' })
    expect(await sendToPhone('phone-1', message, { deadline: 100 })).toEqual(unconfirmed)
    onSend = () => 'never'
    expect(await sendToPhone('phone-1', message, { deadline: 100 })).toEqual(unconfirmed)
    expect(await sendToPhone('phone-1', message, { stop: AbortSignal.timeout(100) })).toEqual(unconfirmed)
    expect(pushes()).toBe(4)
    expect(await sendToPhone('phone-1', message, { stop: AbortSignal.abort() })).toEqual({ as: 'unsent' })
    expect(pushes()).toBe(4)
  })

  it('that the service cannot have taken is tried later, and at once when this process stops', async () => {
    // Takes connections and never encrypts one.
    const silent = createTcpServer((socket) => void socket.on('error', () => {}).resume())
    const { origin, stop } = await listenOnFreePort(silent)
    const { url } = config.push
    config.push.url = origin.replace('http:', 'https:')
    expect(await sendToPhone('phone-1', message, { stop: AbortSignal.timeout(100) })).toEqual({
      as: 'unsent',
    })
    const late = { as: 'retry', why: 'push timeout' }
    expect(await sendToPhone('phone-1', message, { deadline: 100 })).toEqual(late)
    config.push.url = url
    await stop()
  })

  it('waits for no access token when this process stops', async () => {
    onToken = () => 'never'
    expect(await sendToPhone('phone-1', message, { stop: AbortSignal.timeout(100) })).toEqual({
      as: 'unsent',
    })
    onToken = () => ({ body: { access_token: 'later', expires_in: 3600 } })
    expect(await sendPush()).toEqual({ as: 'sent' })
  })

  it.each([
    ['no PEM', () => 'abc'],
    ['a PEM without its line breaks', () => privateKey.replaceAll('\n', ' ')],
    ['the public key', () => publicKey],
  ])('waits while FCM_PRIVATE_KEY is %s, and says so', async (_what, wrongKey: () => string) => {
    config.push.privateKey = wrongKey()
    expect(await sendPush()).toEqual({ as: 'retry', why: 'push sign-in key' })
    config.push.privateKey = privateKey
    expect(asked).toEqual([])
    expect(await sendPush()).toEqual({ as: 'sent' })
  })

  it('goes nowhere without an account', async () => {
    config.push.privateKey = null
    expect(await sendPush()).toEqual({ as: 'failed', why: 'push not configured' })
    config.push.privateKey = privateKey
    expect(asked).toEqual([])
  })
})

const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

type Asked = { path: string; authorization: string; body: string }

type Answer =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | 'hang up'
  | 'late'
  | 'never'

/** When the file began, in seconds: a token may be of an earlier test. */
const began = Math.floor(Date.now() / 1000)

const original = { ...config.push }

/** Starts the two services that a push needs, and configures an account with them. */
async function startService(): Promise<void> {
  service = await listenOnFreePort(createServer((req, res) => void answer(req, res)))
  Object.assign(config.push, {
    projectId: 'building',
    clientEmail: 'sender@building.example',
    privateKey,
    url: service.origin,
    tokenUrl: `${service.origin}/token`,
  })
}

async function stopService(): Promise<void> {
  Object.assign(config.push, original)
  await service.stop()
}

/** A sender that knows nothing yet, and services that take what they are sent. */
function answerAsUsual(): void {
  asked = []
  sendToPhone = fcmSender()
  onSend = () => ({ body: { name: 'projects/building/messages/1' } })
  onToken = () => ({
    body: { access_token: `bearer-${asked.length}`, expires_in: 3600, token_type: 'Bearer' },
  })
}

/** Both the token service and the messaging service, as far as they speak to us. */
async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of req) body += chunk
  asked.push({ path: req.url!, authorization: req.headers.authorization ?? '', body })
  const given = req.url === '/token' ? onToken() : onSend()
  if (given === 'hang up') return void req.socket.destroy()
  if (given === 'never') return
  if (given === 'late') return void setTimeout(() => res.end('{}'), 400)
  res.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
  res.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? {}))
}

const message = {
  title: 'Resolved · INC-7',
  body: 'Lift B stuck',
  data: { incidentId: '7', event: 'incident.status_changed' },
  page: '/incidents/7',
  collapseKey: 'incident-7',
}

const sendPush = () => sendToPhone('phone-1', message)
const to = (path: string) => asked.filter((each) => each.path === path)
type Outcome = Awaited<ReturnType<typeof sendPush>>
