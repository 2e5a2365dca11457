import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loopback } from '../../../src/platform/net/addressPolicy.js'
import type { OutboundOptions } from '../../../src/platform/net/outboundHttp.js'
import { config } from '../../../src/platform/process/config.js'
import { newKeyPair } from '../../../src/platform/process/webPushKeys.js'
import type { PushMessage } from '../../../src/platform/push/pushMessage.js'
import { sendToBrowser } from '../../../src/platform/push/webPush.js'
import { reasonOf } from '../../../src/vocabulary/email/delivery.js'
import { certificate } from '../../support/certificate.js'
import {
  claimsOf,
  configureWebPush,
  decrypted,
  newBrowser,
  serverKeys,
  subscriptionOf,
} from '../../support/push/subscription.js'
import { listenOnFreePort } from '../../support/run/ports.js'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.js'

configureWebPush()
let service: Receiver
beforeAll(async () => {
  service = await startReceiver({ secret: null, tls: certificate })
})
afterAll(() => service.stop())
beforeEach(() => service.received.splice(0))

describe('a push to a browser', () => {
  it('is read by this browser alone, and signed with our key for its push service', async () => {
    const browser = at('201/device-1')
    expect(await sendToBrowser(rowOf(browser), message, here)).toEqual({ as: 'sent' })
    const [{ raw, headers, method, path }] = service.received as [Receiver['received'][0]]
    expect([method, path]).toEqual(['POST', '/201/device-1'])
    expect(decrypted(browser, raw)).toEqual({
      title: 'Marked as fixed · INC-7',
      body: 'Lift B stuck',
      tag: 'incident-7',
      url: '/incidents/7',
    })
    expect(() => decrypted({ ...newBrowser(), endpoint: browser.endpoint }, raw)).toThrow()
    expect(raw.toString('latin1')).not.toContain('Lift')
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{1,32}$/),
    })
    const { key, aud, exp, sub } = claimsOf(headers.authorization!)
    expect({ key, aud, sub }).toEqual({
      key: serverKeys.publicKey,
      aud: `https://receiver.test:${service.port}`,
      sub: 'mailto:office@building.example',
    })
    // A day is the most a push service takes.
    expect(exp * 1000 - Date.now()).toBeLessThanOrEqual(86_400_000)
  })

  it('has the topic of its incident, which tells the push service nothing', async () => {
    const of = async (browser: ReturnType<typeof newBrowser>, collapseKey: string) => {
      await sendToBrowser(rowOf(browser), { ...message, collapseKey }, here)
      return service.received.at(-1)!.headers.topic as string
    }
    const [one, two] = [at('201/one'), at('201/two')]
    const topic = await of(one, 'incident-7')
    expect(await of(one, 'incident-7')).toBe(topic)
    const others = [await of(one, 'incident-8'), await of(two, 'incident-7')]
    expect(new Set([topic, ...others]).size).toBe(3)
    expect([topic, ...others].join()).not.toContain('incident')
  })

  it.each(['x', 'é', '漢', '🛗', '"', '\u0001'])('of many %j still fits', async (letter) => {
    const long = letter.repeat(2_000)
    const most = { ...message, title: long, body: long, data: { ...message.data, incidentId: '2147483647' } }
    const browser = at('201')
    await sendToBrowser(rowOf(browser), most, here)
    const [{ raw }] = service.received as [Receiver['received'][0]]
    // 4,096 bytes of body are what every push service takes (RFC 8030).
    expect(raw.length).toBeLessThanOrEqual(4_096)
    expect(Object.keys(decrypted(browser, raw))).toEqual(['title', 'body', 'tag', 'url'])
  })

  it.each([
    ['200', { as: 'sent' }],
    ['201', { as: 'sent' }],
    ['202', { as: 'sent' }],
    ['404', { as: 'dead' }],
    ['410', { as: 'dead' }],
    ['400', { as: 'failed', why: 'push 400' }],
    ['413', { as: 'failed', why: 'push 413' }],
    ['401', { as: 'retry', why: 'push 401' }],
    ['403', { as: 'retry', why: 'push 403' }],
    ['408', { as: 'retry', why: 'push 408' }],
    ['429', { as: 'retry', why: 'push 429' }],
    ['500', { as: 'retry', why: 'push 500' }],
    ['503', { as: 'retry', why: 'push 503' }],
    ['to-itself', { as: 'failed', why: 'push 302' }],
    ['close', { as: 'retry', why: 'push connection lost' }],
  ])('answered %s ends as %j', async (path, outcome) => {
    expect(await sendPush(path)).toEqual(outcome)
    expect(service.received.length).toBe(1)
    const words = 'why' in outcome ? [reasonOf(outcome.why!)] : []
    expect(words.filter((word) => word === 'other').length).toBe(path === 'to-itself' ? 1 : 0)
  })

  it.each([
    ['90', 90],
    ['Fri, 31 Dec 1999 23:59:59 GMT', undefined],
    ['-1', undefined],
    ['soon', undefined],
  ])('waits as long as the service asks with %j', async (asked, after) => {
    expect(await sendPush(`busy?${encodeURIComponent(asked)}`)).toEqual({
      as: 'retry',
      why: 'push 429',
      ...(after ? { after } : {}),
    })
  })

  it('that the service took is not repeated when it answers late or never, or this process stops', async () => {
    // One of its own: a request given up while it was sent is received later, in
    // the middle of another test.
    const mute = await startReceiver({ secret: null, tls: certificate })
    const ask = (path: string, options: Partial<OutboundOptions>) =>
      sendToBrowser(rowOf(newBrowser(`https://receiver.test:${mute.port}/${path}`)), message, {
        ...here,
        ...options,
      })
    const unconfirmed = { as: 'unconfirmed', why: 'push not confirmed' }
    expect(await ask('late', {})).toEqual({ as: 'sent' })
    expect(await ask('late', { deadline: 300 })).toEqual(unconfirmed)
    expect(await ask('hang', { deadline: 300 })).toEqual(unconfirmed)
    expect(await ask('hang', { stop: AbortSignal.timeout(300) })).toEqual(unconfirmed)
    expect(mute.received).toHaveLength(4)
    await mute.stop()
  })

  it('that the service cannot have taken is tried later, and at once when this process stops', async () => {
    // Takes connections and never encrypts one.
    const silent = createServer((socket) => void socket.on('error', () => {}).resume())
    const { origin, stop } = await listenOnFreePort(silent)
    const ask = (options: Partial<OutboundOptions>) =>
      sendToBrowser(rowOf(newBrowser(`https://receiver.test:${new URL(origin).port}/`)), message, {
        ...here,
        ...options,
      })
    expect(await ask({ deadline: 100 })).toEqual({ as: 'retry', why: 'push timeout' })
    expect(await ask({ stop: AbortSignal.timeout(50) })).toEqual({ as: 'unsent' })
    await stop()
  })

  it('is tried later when the service’s certificate is not trusted or its name unknown', async () => {
    const { ca: _ca, ...untrusted } = here
    const gone = { ...here, resolve: () => Promise.reject(new Error('ENOTFOUND')) }
    const row = rowOf(at('201'))
    expect(await sendToBrowser(row, message, untrusted)).toEqual({
      as: 'retry',
      why: 'push certificate not trusted',
    })
    expect(reasonOf('push certificate not trusted')).toBe('certificate_not_trusted')
    expect(await sendToBrowser(row, message, gone)).toEqual({ as: 'retry', why: 'push name not found' })
    expect(service.received).toEqual([])
  })

  it('goes to no address that its name leads to here, by the rules of every browser', async () => {
    const { policy: _policy, ...open } = here
    const before = service.connections()
    expect(await sendToBrowser(rowOf(at('201')), message, open)).toEqual({
      as: 'failed',
      why: 'push blocked address',
    })
    expect(service.connections()).toBe(before)
  })

  it('of a browser that subscribed with a key we have no more is not sent', async () => {
    const row = { ...rowOf(at('201')), serverKey: newKeyPair().publicKey }
    expect(await sendToBrowser(row, message, here)).toEqual({ as: 'dead' })
    expect(service.received).toEqual([])
  })

  it('is given up where browsers get none any more', async () => {
    const before = config.webPush
    config.webPush = null
    expect(await sendPush('201')).toEqual({ as: 'failed', why: 'push not configured' })
    config.webPush = before
  })
})

/** The push service of the test, which nothing but a test may reach. */
const here: Partial<OutboundOptions> = {
  policy: { networks: loopback, closedPorts: new Set() },
  resolve: async (): Promise<LookupAddress[]> => [{ address: '127.0.0.1', family: 4 }],
  ca: certificate.cert,
}

const message: PushMessage = {
  title: 'Marked as fixed · INC-7',
  body: 'Lift B stuck',
  data: { incidentId: '7', event: 'incident.status_changed' },
  page: '/incidents/7',
  collapseKey: 'incident-7',
}

const at = (path: string) => newBrowser(`https://receiver.test:${service.port}/${path}`)

const rowOf = (browser: ReturnType<typeof newBrowser>) => {
  return { id: 1, ...subscriptionOf(browser) }
}

const sendPush = (path: string, options: Partial<OutboundOptions> = {}, said = message) =>
  sendToBrowser(rowOf(at(path)), said, { ...here, ...options })
