import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../../src/platform/db/database.js'
import { type Receiver, startMute, startReceiver } from '../../test/support/webhooks/receiver.js'
import { webhookEnvironment } from '../../test/support/webhooks/webhookProcess.js'
import { startServer } from './processes.js'
import { sized } from './size.js'
import { verdict } from './verdict.js'
import { benchDatabase } from './world.js'

const driver = '../../test/support/webhooks/webhookDriver.js'
/** Deliveries of one burst, and how often it is measured. */
const burst = sized({ usual: 5_000, tiny: 50 })
const bursts = sized({ usual: 3, tiny: 1 })
const deadReceivers = sized({ usual: 50, tiny: 2 })
/**
 * Deliveries to the healthy receiver beside them, and the pause between two in ms: ten seconds in
 * all.
 */
const healthyDeliveries = sized({ usual: 200, tiny: 4 })
const pause = 50

/**
 * How fast webhooks leave a durable database, and how soon a healthy receiver has its own beside
 * fifty dead ones.
 */
export async function webhooks(): Promise<boolean> {
  const world = await benchDatabase()
  const receiver = await startReceiver()
  try {
    const drained = await drainBursts(world.url, receiver)
    const punctual = await sendBesideDead(world.url, receiver)
    return drained && punctual
  } finally {
    await receiver.stop()
    await world.stop()
  }
}

async function drainBursts(url: string, receiver: Receiver): Promise<boolean> {
  const rates: number[] = []
  const sender = await startServer(driver, webhookEnvironment(url))
  for (let round = 0; round < bursts; round++) {
    const subscription = await subscribe(receiver.url())
    const began = performance.now()
    await deliver([subscription], burst)
    while ((await unfinished(subscription)) > 0) await sleep(50)
    rates.push(burst / ((performance.now() - began) / 1000))
  }
  await sender.stop()
  return verdict('deliveries a second to one healthy receiver', rates, { atLeast: 200 })
}

/**
 * The sender has met none of the receivers before: what it learns of the dead ones, it learns at
 * the others' expense.
 */
async function sendBesideDead(url: string, receiver: Receiver): Promise<boolean> {
  const dead = await Promise.all(Array.from({ length: deadReceivers }, startMute))
  const hanging = await Promise.all(dead.map((one) => subscribe(one.url())))
  const healthy = await subscribe(receiver.url())
  receiver.received.length = 0
  await deliver(hanging, 20)
  const sender = await startServer(driver, webhookEnvironment(url))
  const sent = new Map<string, number>()
  for (let n = 0; n < healthyDeliveries; n++) {
    const at = Date.now()
    const [id] = await deliver([healthy, hanging[n % deadReceivers]!], 1)
    sent.set(id!, at)
    await sleep(pause)
  }
  while ((await unfinished(healthy)) > 0) await sleep(50)
  await sender.stop()
  await Promise.all(dead.map((one) => one.stop()))
  const waits = receiver.received.map(({ id, at }) => at - sent.get(id)!)
  return verdict('p95 in ms, change to receiver, beside 50 dead ones', waits, { atMost: 1000 }, 0.95)
}

async function subscribe(url: string): Promise<number> {
  const [row] = await query<{ id: number }>(
    `insert into webhook_subscriptions (url, secret, events)
     values ($1, 'receiver-secret', '{incident.created}') returning id`,
    [url],
  )
  return row!.id
}

/**
 * Makes deliveries; returns the ids their receivers will see, those of the first subscription
 * first.
 */
async function deliver(subscriptions: number[], each: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `insert into webhook_deliveries (subscription_id, event_id, event, body)
     select s.id, gen_random_uuid(), 'incident.created', json_build_object('event', 'incident.created', 'n', n)::text
     from unnest($1::integer[]) with ordinality as s (id, place), generate_series(1, $2) n order by place
     returning event_id as id`,
    [subscriptions, each],
  )
  return rows.map(({ id }) => id)
}

async function unfinished(subscription: number): Promise<number> {
  const [row] = await query<{ n: number }>(
    'select count(*) as n from webhook_deliveries where subscription_id = $1 and finished_at is null',
    [subscription],
  )
  return row!.n
}
