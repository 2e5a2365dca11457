import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../../src/platform/db/database.js'
import { startMute } from '../../test/support/webhooks/receiver.js'
import { load } from './load.js'
import { startServer } from './processes.js'
import { quantile, shuffled } from './ratios.js'
import { reportRequest } from './requests/reportRequest.js'
import { history, sized } from './size.js'
import { verdict } from './verdict.js'
import { benchDatabase, fillBuilding, fillHistory, fillPeople } from './world.js'

const rounds = sized({ usual: 9, tiny: 1 })
const most = sized({ usual: 100, tiny: 4 })
/**
 * One report after the other: at once, and with time between them for what each of them set off, in
 * ms.
 */
const paces = {
  'at once': { ms: sized({ usual: 1500, tiny: 300 }), pause: 0 },
  'now and then': { ms: sized({ usual: 2000, tiny: 300 }), pause: 40 },
}
/** Milliseconds before what is measured. */
const warming = sized({ usual: 300, tiny: 50 })
type Pace = keyof typeof paces

/**
 * How long a report takes while every receiver of its webhooks accepts the connection and never
 * answers.
 */
export async function hanging(): Promise<boolean> {
  const world = await benchDatabase()
  const receivers = await Promise.all(Array.from({ length: most }, startMute))
  try {
    await fillBuilding(20)
    await fillPeople()
    await fillHistory(history)
    for (const { url } of receivers) await subscribe(url())
    const ours = await startServer('./servers/caretaker.js', {
      ...world.env,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    })
    const verdicts = verdictsOf(await latencyRatios(ours.port, [most / 2, most]))
    await ours.stop()
    return verdicts.every((met) => met)
  } finally {
    await Promise.all(receivers.map((one) => one.stop()))
    await world.stop()
  }
}

/**
 * Median latencies with so many subscriptions against those with none of the same round; `<pace>,
 * <count>` is the key.
 */
async function latencyRatios(port: number, counts: number[]): Promise<Map<string, number[]>> {
  const latencies = new Map<string, number[]>()
  // The first slice starts everything and is not counted.
  for (let round = -1; round < rounds; round++) {
    const medians = new Map<number, Record<Pace, number>>()
    for (const count of shuffled([0, ...counts])) medians.set(count, await mediansBeside(port, count))
    if (round < 0) continue
    for (const count of counts) {
      for (const pace of Object.keys(paces) as Pace[]) {
        const key = `${pace}, beside ${count}`
        latencies.set(key, [...(latencies.get(key) ?? []), medians.get(count)![pace] / medians.get(0)![pace]])
      }
    }
  }
  return latencies
}

function verdictsOf(latencies: Map<string, number[]>): boolean[] {
  return [...latencies].map(([key, values]) =>
    verdict(`latency of reports ${key} hanging receivers, against none`, values, { atMost: 1.1 }),
  )
}

async function subscribe(url: string): Promise<void> {
  await query(
    `insert into webhook_subscriptions (url, secret, events, active)
     values ($1, 'receiver-secret', '{incident.created}', false)`,
    [url],
  )
}

async function mediansBeside(port: number, subscriptions: number): Promise<Record<Pace, number>> {
  await query('update webhook_subscriptions set active = id <= $1', [subscriptions])
  const medians: Record<Pace, number> = { 'at once': 0, 'now and then': 0 }
  await load({ port, request: reportRequest(), connections: 1, ms: warming })
  for (const pace of shuffled(Object.keys(paces) as Pace[])) {
    const { latencies } = await load({ port, request: reportRequest(), connections: 1, ...paces[pace] })
    medians[pace] = quantile(latencies, 0.5)
  }
  await endSlice()
  return medians
}

/** Nothing of this slice may be under way in the next one. */
async function endSlice(): Promise<void> {
  await query('update webhook_subscriptions set active = false')
  await query('update outbox set sent_at = now() where sent_at is null')
  for (let left = 1; left > 0; await sleep(100)) {
    await query('delete from events')
    await query('delete from webhook_deliveries where claimed_at is null')
    const [row] = await query<{ n: number }>(
      'select count(*) as n from webhook_deliveries where finished_at is null',
    )
    left = row!.n
  }
}
