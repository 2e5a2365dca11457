import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query, takeConnection } from '../../../src/platform/db/database.js'
import { idle, stopOutbox } from '../../../src/platform/outbox/outbox.js'
import { useDatabase } from '../../support/database.js'
import { count } from '../../support/rows.js'
import { eventually } from '../../support/run/eventually.js'
import { drawing } from '../../support/run/random.js'
import {
  bodies,
  claimSecondsAgo,
  deliver,
  deliveryRows,
  statusesOf,
} from '../../support/webhooks/deliveries.js'
import { type Receiver, startMute, startReceiver } from '../../support/webhooks/receiver.js'
import { sendAll, startSending } from '../../support/webhooks/sending.js'
import { deleteSubscriptions, setSubscription, subscribe } from '../../support/webhooks/subscriptions.js'
import { startWebhooks } from '../../support/webhooks/webhookProcess.js'

const url = useDatabase()
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
beforeEach(async () => {
  receiver.received.length = 0
  await deleteSubscriptions()
})
afterAll(() => receiver.stop())

describe('several processes', () => {
  it('send each delivery once between them', async () => {
    const ends = await Promise.all([startWebhooks(url()), startWebhooks(url())])
    const subscriptions = await subscribed(['/ok', '/ok', '/204', '/ok'], 400)
    await eventually(async () => expect(await unfinished()).toBe(0))
    await Promise.all(ends.map((end) => end('SIGTERM')))
    const ids = (await deliveryRows(...subscriptions)).map(({ id }) => id)
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(receiver.received.every(({ verified }) => verified)).toBe(true)
  })

  it('killed at any moment send nothing twice, and lose no more than they had under way', {
    timeout: 180_000,
  }, async () => {
    const subscriptions = await subscribed(['/ok', '/late', '/500'], 500)
    const kills = 12
    const draws = drawing()
    for (let n = 0; n < kills; n++) {
      const before = receiver.received.length
      const [end] = await Promise.all([
        startWebhooks(url()),
        startWebhooks(url()).then((other) => other('SIGKILL')),
      ])
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(before))
      await sleep(draws.number() * 120)
      await end('SIGKILL')
    }
    // What the dead processes had sent has arrived.
    await receiver.quiet()
    await claimSecondsAgo(31, { onlyClaimed: true })
    for (const id of subscriptions) await setSubscription(id, { url: receiver.url('/ok') })
    await sendAll()
    const rows = await deliveryRows(...subscriptions)
    const times = new Map<string, number>()
    for (const { id } of receiver.received) times.set(id, (times.get(id) ?? 0) + 1)
    expect([...times].filter(([, n]) => n > 1)).toEqual([])
    const interrupted = rows.filter(({ status }) => status === 'failed: interrupted')
    const answered = rows.filter(({ status }) => status === '200' || status === '500')
    expect(interrupted.length + answered.length).toBe(1_500)
    expect(answered.filter(({ id }) => times.get(id) !== 1)).toEqual([])
    expect(interrupted.length).toBeGreaterThan(0)
    // Eight exchanges of each of three subscriptions, in two processes.
    expect(interrupted.length).toBeLessThanOrEqual(kills * 2 * 3 * 8)
  })
})

describe('a receiver', () => {
  it('gets its own while fifty others never answer', async () => {
    const mutes = await Promise.all(Array.from({ length: 50 }, startMute))
    const dead: number[] = []
    for (const mute of mutes) dead.push(await subscribe(mute.url()))
    const healthy = await subscribe(receiver.url())
    for (const one of dead) await deliver(one, bodies(2))
    await deliver(healthy, bodies(30))
    // No deadline ends theirs before, however slow the machine is.
    startSending({ deadline: 100_000 })
    await eventually(async () => expect(await statusesOf(healthy)).toEqual(Array(30).fill('200')))
    expect(await statusesOf(...dead)).toEqual(Array(100).fill(null))
    // Those that wait must not be sent to a port that may be somebody else's by then.
    for (const id of [...dead, healthy]) await setSubscription(id, { active: false })
    await Promise.all(mutes.map((mute) => mute.stop()))
    await idle()
    await stopOutbox()
    for (const status of await statusesOf(...dead)) expect(status).toMatch(/^failed: (reset|inactive)$/)
  })

  it('gets its own while fifty others of its host never answer', async () => {
    const host = await startReceiver()
    const dead: number[] = []
    for (let n = 0; n < 50; n++) dead.push(await subscribe(host.url('/hang')))
    const healthy = await subscribe(host.url())
    for (const one of dead) await deliver(one, bodies(1))
    await deliver(healthy, bodies(30))
    startSending({ deadline: 100_000 })
    await eventually(async () => expect(await statusesOf(healthy)).toEqual(Array(30).fill('200')))
    expect((await statusesOf(...dead)).filter((status) => status === null).length).toBeGreaterThan(10)
    await host.stop()
    await stopOutbox()
  })

  it('has an outcome kept until it can be written down', async () => {
    const subscription = await subscribe(receiver.url())
    await deliver(subscription, bodies(1))
    const holder = await takeConnection()
    await holder.query('begin')
    await holder.query('select from webhook_subscriptions where id = $1 for update', [subscription])
    startSending()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    // The first try has given up waiting for the lock once a later one waits for it.
    const tries = new Set<number>()
    await eventually(async () => {
      for (const { began } of await waitingForLocks()) tries.add(began.getTime())
      expect(tries.size).toBeGreaterThan(1)
    })
    expect(await statusesOf(subscription)).toEqual([null])
    await holder.query('rollback')
    holder.release()
    await idle()
    await stopOutbox()
    expect(await statusesOf(subscription)).toEqual(['200'])
    expect(receiver.received).toHaveLength(1)
  })
})

async function subscribed(paths: string[], each: number): Promise<number[]> {
  const subscriptions: number[] = []
  for (const path of paths) {
    const subscription = await subscribe(receiver.url(path))
    await deliver(subscription, bodies(each))
    subscriptions.push(subscription)
  }
  return subscriptions
}

const unfinished = () => count('webhook_deliveries where finished_at is null')

/** Statements of this database that wait for a lock, by when they began. */
const waitingForLocks = () =>
  query<{ began: Date }>(
    `select query_start as began from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
