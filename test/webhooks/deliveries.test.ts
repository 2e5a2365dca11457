import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reportIncident } from '../../src/incidents/acts/reportIncident.js'
import { query } from '../../src/platform/db/database.js'
import { idle, startOutbox, stopOutbox, wake } from '../../src/platform/outbox/outbox.js'
import { webhookSender } from '../../src/webhooks/sending/sendWebhooks.js'
import { useDatabase } from '../support/database.js'
import { anyCodePoint } from '../support/run/codePoints.js'
import { eventually } from '../support/run/eventually.js'
import { perRun } from '../support/run/extent.js'
import { ownPort } from '../support/run/ports.js'
import { drawing } from '../support/run/random.js'
import { bodies, claimSecondsAgo, deliver, deliveryRows, statusesOf } from '../support/webhooks/deliveries.js'
import { type Receiver, startMute, startReceiver } from '../support/webhooks/receiver.js'
import { onThisMachine, sendAll, startSending } from '../support/webhooks/sending.js'
import { deleteSubscriptions, lastOf, setSubscription, subscribe } from '../support/webhooks/subscriptions.js'

useDatabase()
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
beforeEach(async () => {
  receiver.received.length = 0
  await deleteSubscriptions()
})
afterAll(() => receiver.stop())

describe('a delivery', () => {
  it('goes out with the change that caused it, as the specification words it', async () => {
    const subscription = await subscribe(receiver.url())
    startOutbox([webhookSender({ policy: onThisMachine })], async () => {})
    const title = 'Stuck “lift” 🛗'
    const incident = await reported({ title, isAnonymous: true })
    await idle()
    await stopOutbox()
    const [{ raw, headers, verified, method }] = receiver.received as [(typeof receiver.received)[0]]
    expect(JSON.parse(raw.toString())).toEqual({
      event: 'incident.created',
      occurredAt: incident.createdAt.toISOString(),
      property: { id: expect.any(Number), name: expect.any(String) },
      incident: {
        id: incident.id,
        title,
        severity: 'high',
        status: 'open',
        slaBreached: false,
        source: 'web',
        assetId: 1,
      },
    })
    expect([method, verified]).toEqual(['POST', true])
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(raw.length),
      'user-agent': 'Caretaker',
      'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const [row] = await deliveryRows(subscription)
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(row!.claimedAt!.getTime() / 1000)))
  })

  it('goes to each of many subscriptions once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => subscribe(receiver.url())))
    const silent = await subscribe(receiver.url(), { active: false })
    await reported({ title: 'Many listen', isAnonymous: false })
    await sendAll()
    expect(await statusesOf(...ids)).toEqual(Array(12).fill('200'))
    expect(await statusesOf(silent)).toEqual([])
    expect(new Set(receiver.received.map(({ raw }) => raw.toString())).size).toBe(1)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(12)
    expect(await query('select 1 from events')).toEqual([])
  })

  it('leaves its outcome on itself and on the subscription', async () => {
    const fine = await subscribe(receiver.url())
    const broken = await subscribe(receiver.url('/500'))
    const moved = await subscribe(receiver.url('/to-itself'))
    const gone = await subscribe(`http://127.0.0.1:${await ownPort()}/`)
    const inside = await subscribe('http://10.0.0.1/')
    const mistaken = await subscribe('no address at all')
    const all = [fine, broken, moved, gone, inside, mistaken]
    for (const one of all) await deliver(one, bodies(1))
    await sendAll()
    expect(await statusesOf(...all)).toEqual([
      '200',
      '500',
      '302',
      'failed: refused',
      'failed: blocked address',
      'failed: blocked address',
    ])
    for (const one of all) {
      const [row] = await deliveryRows(one)
      expect(await lastOf(one)).toEqual({ status: row!.status, firedAt: row!.claimedAt })
      expect(row!.durationMs).toBeGreaterThanOrEqual(0)
      expect(row!.finishedAt! >= row!.claimedAt!).toBe(true)
    }
  })

  it('is signed with the secret, and goes where the subscription points, of the moment it goes', async () => {
    const subscription = await subscribe(receiver.url('/500'), { secret: 'the old one' })
    await deliver(subscription, bodies(1))
    await setSubscription(subscription, { url: receiver.url('/204'), secret: 'receiver-secret' })
    await sendAll()
    expect(await statusesOf(subscription)).toEqual(['204'])
    expect(receiver.received[0]!.verified).toBe(true)
  })

  it('to a subscription that was switched off or deleted meanwhile never leaves', async () => {
    const [off, deleted] = [await subscribe(receiver.url()), await subscribe(receiver.url())]
    for (const one of [off, deleted]) await deliver(one, bodies(3))
    await setSubscription(off, { active: false })
    await query('delete from webhook_subscriptions where id = $1', [deleted])
    await sendAll()
    expect(receiver.received).toEqual([])
    expect(await statusesOf(off)).toEqual(Array(3).fill('failed: inactive'))
    expect(await lastOf(off)).toEqual({ status: null, firedAt: null })
  })

  it('that is answered late does not overwrite the outcome of a later one', async () => {
    const subscription = await subscribe(receiver.url('/held'))
    await deliver(subscription, bodies(1))
    receiver.hold()
    startSending(withoutDeadlines)
    await eventually(() => expect(receiver.received).toHaveLength(1))
    await setSubscription(subscription, { url: receiver.url('/503') })
    await deliver(subscription, bodies(1))
    wake()
    await eventually(async () => expect(await statusesOf(subscription)).toEqual([null, '503']))
    receiver.release()
    await idle()
    await stopOutbox()
    const [late, later] = await deliveryRows(subscription)
    expect([late!.status, later!.status]).toEqual(['200', '503'])
    expect(await lastOf(subscription)).toEqual({ status: '503', firedAt: later!.claimedAt })
  })

  it('of two claimed together, the younger decides', async () => {
    const subscription = await subscribe(receiver.url())
    await deliver(subscription, bodies(2))
    await sendAll()
    const [, younger] = await deliveryRows(subscription)
    expect((await lastOf(subscription)).firedAt).toEqual(younger!.claimedAt)
  })

  it('verifies whatever people write', { timeout: 600_000 }, async () => {
    const title = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: anyCodePoint, maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(
          '"',
          '\\',
          '\u2028',
          '\u2029',
          '\n',
          '\r',
          '\t',
          '\u0001',
          '\u007f',
          '\ufeff',
          '\u202e',
          '🛗',
          'é',
          'e\u0301',
          '</script>',
          '%',
          '\\u0000',
        ),
        maxLength: 60,
      }),
    )
    const titles = fc.sample(
      title.filter((text) => text.isWellFormed() && !text.includes('\0')),
      { seed: drawing().seed, numRuns: perRun({ quick: 30, whole: 10_000 }) },
    )
    const each = titles.length / 10
    const subscriptions: number[] = []
    for (let from = 0; from < titles.length; from += each) {
      const subscription = await subscribe(receiver.url())
      subscriptions.push(subscription)
      const incidents = titles.slice(from, from + each).map((title) => ({ title }))
      await deliver(
        subscription,
        incidents.map((incident) => JSON.stringify({ event: 'incident.created', incident })),
      )
    }
    await sendAll()
    const rows = await deliveryRows(...subscriptions)
    expect(rows).toHaveLength(titles.length)
    expect(rows.filter(({ status }) => status !== '200')).toEqual([])
    expect(receiver.received).toHaveLength(titles.length)
    expect(receiver.received.filter(({ verified }) => !verified)).toEqual([])
    const bodyOf = new Map(rows.map(({ id, body }) => [id, body]))
    expect(receiver.received.filter(({ id, raw }) => bodyOf.get(id) !== raw.toString())).toEqual([])
    const got = receiver.received.map(({ raw }) => JSON.parse(raw.toString()).incident.title)
    expect(got.sort()).toEqual(titles.sort())
  })
})

describe('a receiver', () => {
  it('has at most eight exchanges of a subscription at a time, whatever others of its host have', async () => {
    const underWay = async (...subscriptions: number[]) =>
      (await deliveryRows(...subscriptions)).filter(({ claimedAt }) => claimedAt).length
    receiver.hold()
    const one = await subscribe(receiver.url('/held'))
    await deliver(one, bodies(12))
    startSending(withoutDeadlines)
    // Whatever may start at one moment is claimed together.
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0))
    expect(await underWay(one)).toBe(8)
    receiver.release()
    await idle()
    await stopOutbox()

    receiver.received.length = 0
    receiver.hold()
    const others: number[] = []
    for (let n = 0; n < 5; n++) others.push(await subscribe(receiver.url('/held')))
    for (const each of others) await deliver(each, bodies(3))
    startSending(withoutDeadlines)
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0))
    expect(await underWay(...others)).toBe(15)
    receiver.release()
    await idle()
    await stopOutbox()
    expect(await statusesOf(one, ...others)).toEqual(Array(27).fill('200'))
  })

  it('has places of its own, however many deliveries of others hang', async () => {
    const hanging: number[] = []
    for (let n = 0; n < 9; n++) hanging.push(await subscribe(receiver.url('/held')))
    for (const each of hanging) await deliver(each, bodies(10))
    receiver.hold()
    startSending(withoutDeadlines)
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(64))
    const healthy = await subscribe(receiver.url())
    await deliver(healthy, bodies(5))
    wake()
    await eventually(async () => expect(await statusesOf(healthy)).toEqual(Array(5).fill('200')))
    // Eight subscriptions fill the 64 places that all share; the ninth has two places of its own.
    const claimed = (await deliveryRows(...hanging)).filter(({ claimedAt }) => claimedAt)
    expect(claimed).toHaveLength(66)
    receiver.release()
    await idle()
    await stopOutbox()
  })

  it.each(['caretaker', 'slack', 'teams'])(
    'that is slow gets what is of one incident in order, and other incidents meanwhile, as %s',
    async (format) => {
      const step = (id: number, n: number) =>
        JSON.stringify({
          event: 'incident.status_changed',
          property: { id: 1, name: 'Larkspur Court' },
          incident: { id, title: `step ${n} of ${id}`, status: 'open', severity: 'high' },
        })
      const subscription = await subscribe(receiver.url('/held'), { format })
      await deliver(subscription, [step(1, 0), step(1, 1), step(1, 2), step(2, 0), step(3, 0)])
      receiver.hold()
      startSending(withoutDeadlines)
      await eventually(() => expect(receiver.received).toHaveLength(3))
      // A commit while the first is under way looks for deliveries again.
      const other = await subscribe(receiver.url())
      await deliver(other, bodies(1))
      wake()
      await eventually(async () => expect(await statusesOf(other)).toEqual(['200']))
      const steps = () =>
        receiver.received.flatMap(({ raw }) => /step \d of \d/.exec(raw.toString())?.[0] ?? [])
      expect(steps().sort()).toEqual(['step 0 of 1', 'step 0 of 2', 'step 0 of 3'])
      receiver.release()
      await idle()
      await stopOutbox()
      expect(steps().filter((each) => each.endsWith('of 1'))).toEqual([
        'step 0 of 1',
        'step 1 of 1',
        'step 2 of 1',
      ])
      expect(await statusesOf(subscription)).toEqual(Array(5).fill('200'))
      // The log has what was signed.
      const sent = receiver.received.map(({ raw }) => raw.toString())
      for (const { body } of await deliveryRows(subscription)) expect(sent).toContain(body)
    },
  )

  it('to a chat that cannot be put in words ends alone', async () => {
    const subscription = await subscribe(receiver.url(), { format: 'slack' })
    const test = JSON.stringify({ event: 'webhook.test', property: { id: 1, name: 'Larkspur Court' } })
    await deliver(subscription, ['{}', test])
    await sendAll()
    expect(await statusesOf(subscription)).toEqual(['failed: body', '200'])
  })

  it('that never answers in time gets several at once, so that a burst is not behind for minutes', async () => {
    const mute = await startMute()
    const subscription = await subscribe(mute.url())
    await deliver(subscription, bodies(40))
    // A hundredth of the real deadline.
    await sendAll({ deadline: 50 })
    expect(await statusesOf(subscription)).toEqual(Array(40).fill('failed: timeout'))
    expect(mute.most()).toBeGreaterThanOrEqual(4)
    await mute.stop()
  })

  it('that was away gets its newest thousand, and not what has waited for long beyond', async () => {
    const subscription = await subscribe(receiver.url())
    const other = await subscribe(receiver.url())
    await deliver(subscription, bodies(7), { age: 120 })
    await deliver(subscription, bodies(3), { age: 61 })
    await deliver(subscription, bodies(2))
    await deliver(other, bodies(4), { age: 120 })
    await sendAll({ backlog: { kept: 4, seconds: 60 } })
    expect(await statusesOf(subscription)).toEqual([
      ...Array(8).fill('failed: backlog'),
      ...Array(4).fill('200'),
    ])
    expect(await statusesOf(other)).toEqual(Array(4).fill('200'))
    expect(receiver.received).toHaveLength(8)
  })

  it('that is healthy gets all of a busy minute', async () => {
    const subscription = await subscribe(receiver.url())
    await deliver(subscription, bodies(20))
    await sendAll({ backlog: { kept: 4, seconds: 60 } })
    expect(await statusesOf(subscription)).toEqual(Array(20).fill('200'))
  })
})

describe('what a process that died had claimed', () => {
  it('is given up after half a minute and never sent again', async () => {
    const subscription = await subscribe(receiver.url())
    await deliver(subscription, bodies(2))
    await claimSecondsAgo(31)
    await sendAll()
    expect(receiver.received).toEqual([])
    const [row] = await deliveryRows(subscription)
    expect(row).toMatchObject({ status: 'failed: interrupted', durationMs: null })
    expect(await lastOf(subscription)).toMatchObject({ status: 'failed: interrupted' })
  })

  it('is left alone while it may be under way elsewhere', async () => {
    const subscription = await subscribe(receiver.url())
    await deliver(subscription, bodies(1))
    await claimSecondsAgo(20)
    await sendAll()
    expect(receiver.received).toEqual([])
    expect(await statusesOf(subscription)).toEqual([null])
  })
})

describe('stopping', () => {
  it('lets end what is under way, records it, and begins nothing more', async () => {
    const subscription = await subscribe(receiver.url('/held'))
    await deliver(subscription, bodies(100))
    receiver.hold()
    startSending(withoutDeadlines)
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0))
    const stopped = stopOutbox()
    receiver.release()
    await stopped
    const rows = await deliveryRows(subscription)
    const begun = rows.filter(({ claimedAt }) => claimedAt)
    expect(begun.length).toBeGreaterThan(0)
    expect(begun.length).toBeLessThan(100)
    expect(begun.map(({ status }) => status)).toEqual(begun.map(() => '200'))
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(begun.map(({ id }) => id).sort())
  })

  it('is for good', async () => {
    const sender = webhookSender({ policy: onThisMachine })
    sender.stop!()
    const subscription = await subscribe(receiver.url())
    await deliver(subscription, bodies(1))
    await sender.drain()
    expect(await statusesOf(subscription)).toEqual([null])
  })
})

describe('a drain', () => {
  it('ends when nothing is due or under way, also when it was asked for many times', async () => {
    const sender = webhookSender({ policy: onThisMachine })
    const subscription = await subscribe(receiver.url())
    await sender.drain()
    for (let n = 0; n < 2; n++) {
      await deliver(subscription, bodies(3))
      await Promise.all([sender.drain(), sender.drain()])
      expect((await statusesOf(subscription)).filter((status) => status !== '200')).toEqual([])
    }
    expect(receiver.received).toHaveLength(6)
  })

  it('sends once what several senders see at the same time', async () => {
    const each = perRun({ quick: 12, whole: 100 })
    const subscriptions: number[] = []
    for (let n = 0; n < 3; n++) subscriptions.push(await subscribe(receiver.url()))
    for (const one of subscriptions) await deliver(one, bodies(each))
    const senders = Array.from({ length: 4 }, () => webhookSender({ policy: onThisMachine }))
    await Promise.all(senders.map((sender) => sender.drain()))
    expect(await statusesOf(...subscriptions)).toEqual(Array(3 * each).fill('200'))
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3 * each)
    expect(receiver.received).toHaveLength(3 * each)
  })
})

describe('a delivery in the form of a chat', () => {
  it.each([
    { format: 'slack', has: 'blocks' },
    { format: 'teams', has: 'attachments' },
  ])('as $format is signed, and logged as it was sent', async ({ format, has }) => {
    const ours = await subscribe(receiver.url())
    const theirs = await subscribe(receiver.url('/ok/chat'), { format })
    const property = { id: 1, name: 'Larkspur Court' }
    const body = JSON.stringify({ event: 'incident.created', property, asset: { id: 3, name: 'Lift' } })
    for (const subscription of [ours, theirs]) await deliver(subscription, [body])
    await sendAll()
    const [to, chat] = ['/ok', '/ok/chat'].map((path) => receiver.received.find((got) => got.path === path)!)
    expect(to!.raw.toString()).toBe(body)
    expect(Object.keys(JSON.parse(chat!.raw.toString()))).toContain(has)
    expect(chat!.verified).toBe(true)
    expect((await deliveryRows(theirs))[0]).toMatchObject({ status: '200', body: chat!.raw.toString() })
  })
})

/** No delivery ends by itself, however slow the machine is. */
const withoutDeadlines = { deadline: 600_000 }

/** A resident reports something through the product. */
async function reported(given: { title: string; isAnonymous: boolean }) {
  const [reporter] = await query<{ id: number; name: string }>(
    `select id, name from users where role = 'resident' limit 1`,
  )
  const actor = { type: 'user', role: 'resident', via: 'web', ...reporter! } as const
  const fields = { description: '', severity: 'high', assetId: 1, unitId: null } as const
  return (await reportIncident(actor, { ...fields, ...given })).incident
}
