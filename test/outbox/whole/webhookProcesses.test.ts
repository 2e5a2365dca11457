import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useDatabase } from '../../support/database.js'
import { eventually } from '../../support/suite/eventually.js'
import { drawing } from '../../support/suite/random.js'
import { bodies, deliver, deliveryRows, sendAll, subscribe } from '../../support/webhooks/deliveries.js'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.js'
import { startWebhooks } from '../../support/webhooks/webhookProcess.js'

const url = useDatabase()
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
beforeEach(async () => {
  receiver.received.length = 0
  await query('delete from webhook_subscriptions')
})
afterAll(() => receiver.stop())

async function subscribed(paths: string[], each: number): Promise<number[]> {
  const subscriptions: number[] = []
  for (const path of paths) {
    const subscription = await subscribe(receiver.url(path))
    await deliver(subscription, bodies(each))
    subscriptions.push(subscription)
  }
  return subscriptions
}

const unfinished = async () =>
  (await query<{ n: number }>('select count(*) as n from webhook_deliveries where finished_at is null'))[0]!.n

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
    await query(
      `update webhook_deliveries set claimed_at = claimed_at - interval '31 seconds' where finished_at is null and claimed_at is not null`,
    )
    await query('update webhook_subscriptions set url = $1', [receiver.url('/ok')])
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
    // Two exchanges of each of three subscriptions, in two processes.
    expect(interrupted.length).toBeLessThanOrEqual(kills * 2 * 6)
  })
})
