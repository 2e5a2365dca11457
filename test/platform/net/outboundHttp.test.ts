import type { LookupAddress } from 'node:dns'
import { isIP, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AddressPolicy, loopback } from '../../../src/platform/net/addressPolicy.js'
import { type OutboundOptions, post } from '../../../src/platform/net/outboundHttp.js'
import { urlProblem } from '../../../src/platform/net/receiverUrl.js'
import type { Resolve } from '../../../src/platform/net/resolve.js'
import { statusOf } from '../../../src/webhooks/sending/sendDelivery.js'
import { deliveryTimeout, webhookPolicy } from '../../../src/webhooks/webhookPolicy.js'
import { certificate } from '../../support/certificate.js'
import { eventually } from '../../support/run/eventually.js'
import { perRun } from '../../support/run/extent.js'
import { tableOf } from '../../support/tables.js'
import { endless, type Receiver, startMute, startReceiver } from '../../support/webhooks/receiver.js'

const dial = vi.spyOn(Socket.prototype, 'connect')
beforeEach(() => void dial.mockClear())
afterAll(() => dial.mockRestore())

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

describe('a receiver’s address', () => {
  const webhookAddresses = tableOf<WebhookAddress>('webhookAddresses')
  const refused = webhookAddresses.filter(({ problem }) => problem !== null)
  const taken = webhookAddresses.filter(({ problem }) => problem === null)

  it.each(refused)(
    '$url is refused when saved and when sent, and nothing is dialled: $problem',
    async ({ url, problem }) => {
      expect(await urlProblem(url, production)).toBe(problem)
      expect(await outcomeOf(url, { policy: production })).toMatchObject({
        status: 'failed: blocked address',
      })
      expect(dial).not.toHaveBeenCalled()
    },
  )

  it.each(taken)('$url may be saved', async ({ url }) => {
    expect(await urlProblem(url, production)).toBeNull()
  })

  it('may be a name nobody knows yet, or nobody answers for', async () => {
    expect(await urlProblem('https://soon.example/', production, nobodyKnows)).toBeNull()
    expect(await urlProblem('https://soon.example/', production, answers())).toBeNull()
    expect(await urlProblem('https://soon.example/', production, noAnswer, 10)).toBeNull()
  })

  it.each(['3000', '5432'])('with our own port %s is refused on this machine', async (port) => {
    expect(await urlProblem(`http://127.0.0.1:${port}/`, here)).toBe('url_blocked')
    expect(await urlProblem(`http://localhost:${port}/`, here)).toBe('url_blocked')
    expect(await urlProblem('http://127.0.0.1:3001/', here)).toBeNull()
  })
})

describe('a name', () => {
  const bad = [
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '169.254.169.254',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fd00::1',
    '0.0.0.0',
    '100.64.0.1',
    'not an address',
  ]
  const good = ['8.8.8.8', '2606:4700:4700::1111', '1.1.1.1']
  const mixed = bad.flatMap((one) => [[one], [one, ...good], [...good, one], ['8.8.8.8', one, '1.1.1.1']])

  const hostile = mixed.map((given) => [given.join(' and '), given] as const)

  it.each(hostile)('with the answer %s is refused whole, and nothing is dialled', async (_text, given) => {
    const resolve = answers(...given)
    const url = `http://receiver.test:${receiver.port}/ok`
    expect(await urlProblem(url, production, resolve)).toBe('url_blocked')
    expect(await outcomeOf(url, { policy: production, resolve })).toMatchObject({
      status: 'failed: blocked address',
    })
    expect(await outcomeOf(url.replace('http:', 'https:'), { policy: production, resolve })).toMatchObject({
      status: 'failed: blocked address',
    })
    expect(dial).not.toHaveBeenCalled()
    expect(receiver.connections()).toBe(0)
  })

  it.each([
    ['moves inside after it was saved', answers('93.184.216.34')],
    ['failed when it was saved', nobodyKnows],
  ])('that %s is checked when it is dialled', async (_what, resolve) => {
    const url = `http://rebind.test:${receiver.port}/ok`
    expect(await urlProblem(url, production, resolve)).toBeNull()
    expect(await outcomeOf(url, { policy: production, resolve: answers('127.0.0.1') })).toMatchObject({
      status: 'failed: blocked address',
    })
    expect(receiver.connections()).toBe(0)
  })

  it('is asked for once: the addresses checked are the ones dialled', async () => {
    const open = await startReceiver({ secret: null })
    const resolve = vi.fn(answers('10.255.255.1')).mockImplementationOnce(answers('127.0.0.1'))
    expect(await outcomeOf(`http://receiver.test:${open.port}/ok`, { resolve })).toMatchObject({
      status: '200',
    })
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(open.received[0]!.headers.host).toBe(`receiver.test:${open.port}`)
    await open.stop()
  })

  it('with several addresses is tried at one after the other', async () => {
    const open = await startReceiver({ secret: null })
    const resolve = answers('127.0.0.2', '::1', '127.0.0.1')
    expect(await outcomeOf(`http://receiver.test:${open.port}/ok`, { resolve })).toMatchObject({
      status: '200',
    })
    await open.stop()
  })

  it('that nobody knows fails as dns, one nobody answers for as timeout', async () => {
    expect(await outcomeOf('http://receiver.test/', { resolve: nobodyKnows })).toMatchObject({
      status: 'failed: dns',
    })
    expect(await outcomeOf('http://receiver.test/', { resolve: answers() })).toMatchObject({
      status: 'failed: dns',
    })
    expect(await outcomeOf('http://receiver.test/', { resolve: noAnswer, deadline: 200 })).toMatchObject({
      status: 'failed: timeout',
    })
  })

  it('like localhost is this machine, whatever name servers say', async () => {
    const open = await startReceiver({ secret: null })
    expect(await outcomeOf(`http://localhost:${open.port}/ok`)).toMatchObject({ status: '200' })
    await open.stop()
  })
})

describe('a delivery', () => {
  let open: Receiver
  beforeAll(async () => {
    open = await startReceiver({ secret: null })
  })
  beforeEach(() => {
    open.received.length = 0
  })
  afterAll(() => open.stop())

  it('arrives to the byte, with its headers and nothing that would give us away', async () => {
    const bytes = Buffer.from('{"title":"Lift \u2028 “stuck” 🛗\\u0000"}')
    const headers = { 'Content-Type': 'application/json', 'webhook-id': 'one', 'x-service-signature': 's' }
    await post(
      { url: open.url('/ok?a=b#c'), headers, body: bytes },
      { deadline: deliveryTimeout, policy: here },
    )
    const [request] = open.received
    expect(request).toMatchObject({ method: 'POST', path: '/ok?a=b' })
    expect(request!.raw.equals(bytes)).toBe(true)
    expect(request!.headers).toEqual({
      'content-type': 'application/json',
      'webhook-id': 'one',
      'x-service-signature': 's',
      'content-length': String(bytes.length),
      host: `127.0.0.1:${open.port}`,
      connection: 'close',
    })
  })

  it.each(['200', '201', '204', '299', '304', '400', '401', '410', '429', '500', '503', '599'])(
    'answered with %s has that status',
    async (status) => {
      expect(await outcomeOf(open.url(`/${status}`))).toMatchObject({ status })
    },
  )

  it.each(['to-metadata', 'to-itself', 'to-a-file'])('redirected %s goes no further', async (manner) => {
    const before = open.connections()
    expect(await outcomeOf(open.url(`/${manner}`))).toMatchObject({ status: '302' })
    expect(open.connections()).toBe(before + 1)
    expect(dial).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['reset', 'failed: reset'],
    ['reset-in-body', 'failed: reset'],
    ['close', 'failed: reset'],
    ['not-http', 'failed: bad answer'],
    ['huge-header', 'failed: bad answer'],
    ['upgrade', '101'],
    ['compressed', '200'],
  ])('to a receiver that does %s ends as %s', async (manner, status) => {
    expect(await outcomeOf(open.url(`/${manner}`))).toMatchObject({ status })
  })

  it('that is answered with a gigabyte is read for a moment, and its status counts', async () => {
    const before = open.sent()
    expect(await outcomeOf(open.url('/gigabyte'))).toMatchObject({ status: '200' })
    await open.quiet()
    // A little, and what the system takes in our place.
    expect(open.sent() - before).toBeLessThan(64 * 1024 * 1024)
  })

  it('nobody listens for is refused', async () => {
    const gone = await startReceiver()
    await gone.stop()
    expect(await outcomeOf(gone.url())).toMatchObject({ status: 'failed: refused' })
  })

  it('asks no proxy', async () => {
    const gone = await startReceiver()
    await gone.stop()
    const proxies = {
      HTTP_PROXY: gone.url(),
      http_proxy: gone.url(),
      ALL_PROXY: gone.url(),
      NODE_USE_ENV_PROXY: '1',
    }
    for (const [name, value] of Object.entries(proxies)) vi.stubEnv(name, value)
    expect(await outcomeOf(open.url())).toMatchObject({ status: '200' })
    vi.unstubAllEnvs()
  })

  it.each(perRun({ quick: [100], whole: [100, undefined] }))(
    'ends at its deadline (%s ms, or five seconds) whatever the receiver does meanwhile',
    async (deadline) => {
      const mute = await startMute()
      const secure = mute.url().replace('http:', 'https:')
      const urls = [...endless.map((manner) => open.url(`/${manner}`)), mute.url(), secure]
      const outcomes = await Promise.all(urls.map((url) => outcomeOf(url, deadline ? { deadline } : {})))
      for (const { status, durationMs } of outcomes) {
        expect(status).toBe('failed: timeout')
        expect(durationMs).toBeGreaterThanOrEqual((deadline ?? 5_000) - 10)
      }
      await mute.stop()
    },
  )

  it('leaves no connection behind', async () => {
    const sockets = dial.mock.contexts.length
    await Promise.all(['/ok', '/gigabyte', '/500', '/reset'].map((path) => outcomeOf(open.url(path))))
    const used = dial.mock.contexts.slice(sockets) as Socket[]
    expect(used).toHaveLength(4)
    await eventually(() => expect(used.every(({ destroyed }) => destroyed)).toBe(true))
  })
})

describe('over TLS, a delivery', () => {
  let secure: Receiver
  let open: Receiver
  const resolve = answers('127.0.0.1')
  beforeAll(async () => {
    ;[secure, open] = await Promise.all([
      startReceiver({ tls: certificate }),
      startReceiver({ secret: null }),
    ])
  })
  beforeEach(() => {
    secure.received.length = 0
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  afterAll(() => Promise.all([secure.stop(), open.stop()]))
  const named = (host: string) => `https://${host}:${secure.port}/ok`

  it('reaches a receiver whose certificate is good', async () => {
    const outcome = await outcomeOf(named('receiver.test'), { resolve, ca: certificate.cert })
    expect(outcome).toMatchObject({ status: '401' })
    expect(secure.received).toHaveLength(1)
  })

  it.each([
    ['signed by nobody we know', 'receiver.test', undefined],
    ['for another name', 'other.test', certificate.cert],
    ['for a name, at a bare address', '127.0.0.1', certificate.cert],
  ])('is not made when the certificate is %s', async (_what, host, ca) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    expect(await outcomeOf(named(host), { resolve, ...(ca === undefined ? {} : { ca }) })).toMatchObject({
      status: 'failed: tls',
    })
    expect(secure.received).toEqual([])
  })

  it('to a receiver without it fails as tls', async () => {
    expect(await outcomeOf(open.url().replace('http:', 'https:'))).toMatchObject({ status: 'failed: tls' })
  })
})

it('what this deployment allows is the public internet, with our ports and the database’s closed inside', () => {
  const { networks, closedPorts: closed } = webhookPolicy(6543)
  expect(networks).toEqual([])
  expect(closed.has(3000) && closed.has(6543)).toBe(true)
  expect(closed.has(Number(new URL(process.env.DATABASE_URL!).port))).toBe(true)
})

const closedPorts = new Set([3000, 5432])
const production: AddressPolicy = { networks: [], closedPorts }
const here: AddressPolicy = { networks: loopback, closedPorts }
const noAnswer: Resolve = () => new Promise(() => {})
const body = Buffer.from('{"event":"incident.created"}')
const signature = 'sha256=not checked here'

/** The outcome, and its status as the log of webhooks has it. */
async function outcomeOf(url: string, options: Partial<OutboundOptions> = {}) {
  const outbound = { url, headers: { 'x-service-signature': signature }, body }
  const outcome = await post(outbound, { deadline: deliveryTimeout, policy: here, ...options })
  return { ...outcome, status: statusOf(outcome) }
}

/** An address that someone may give for a webhook, and what is wrong with it. */
type WebhookAddress = { url: string; problem: string | null }

/** A name server of the test: the same answer to every question. */
function answers(...addresses: string[]): Resolve {
  return async () => addresses.map((address): LookupAddress => ({ address, family: isIP(address) }))
}

/** A name server that knows no name. */
const nobodyKnows: Resolve = () => Promise.reject(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' }))
