import { buildingState } from '../../src/status/present/status.js'
import { statusRows } from '../../src/status/queries/status.js'
import { throughput } from './load.js'
import { startServer } from './processes.js'
import { ratios } from './ratios.js'
import { history, olderHistory, sized } from './size.js'
import { printTimes, verdict } from './verdict.js'
import {
  benchDatabase,
  copyDatabase,
  fill,
  fillBuilding,
  fillHistory,
  fillImpactsByFields,
  fillIncidents,
  perSecond,
  timesAsLong,
  using,
} from './world.js'

const rounds = sized({ usual: 13, tiny: 1 })
const roundsOfHistory = sized({ usual: 15, tiny: 1 })
const slice = sized({ usual: { connections: 32, ms: 1000 }, tiny: { connections: 2, ms: 300 } })
/** Readers at once who show what one check for all of them saves; fewer rounds, no goal. */
const crowds = sized({ usual: [1, 4, 16, 64], tiny: [4] })
const crowdSlice = sized({ usual: { ms: 500, rounds: 5 }, tiny: { ms: 300, rounds: 1 } })

/**
 * GET /api/status with 100 assets against bare Koa with a body of the same size; and its cost at
 * 100 times the history.
 */
export async function status(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    await fillBuilding(100)
    await fillHistory(history)
    const served = await againstBareKoa(world.env)
    const grown = await againstHistory(world.url)
    return served && grown
  } finally {
    await world.stop()
  }
}

async function againstBareKoa(env: Record<string, string>): Promise<boolean> {
  const ours = await startServer('./servers/caretaker.js', env)
  const { bytes } = await answerOf(ours.port)
  const bare = await startServer('./servers/bareKoa.js', { BODY_BYTES: String(bytes) })
  const against = (options: ReadOptions, times = rounds) =>
    ratios(answersPerSecond(bare.port, options), answersPerSecond(ours.port, options), times)
  const whole = await against({})
  const unchanged = await against({ isKnown: true })
  const byCrowd = new Map<number, number[]>()
  for (const connections of crowds)
    byCrowd.set(connections, await against({ connections, ms: crowdSlice.ms }, crowdSlice.rounds))
  await Promise.all([ours.stop(), bare.stop()])
  const isFast = verdict(
    `GET /api/status, 100 assets, ${bytes} bytes, 32 reading at once, against bare Koa`,
    whole,
    { atLeast: 1 },
  )
  const isFastUnchanged = verdict('its 304 against bare Koa’s 304', unchanged, { atLeast: 1.15 })
  for (const [readers, ratiosOfCrowd] of byCrowd)
    printTimes(`the same with ${readers} reading at once`, ratiosOfCrowd)
  return isFast && isFastUnchanged
}

type ReadOptions = { isKnown?: boolean; connections?: number; ms?: number }

/**
 * Answers a second to readers who have the answer (`isKnown`: and say so) or not. The uptime of one
 * of a hundred assets changes a digit every few seconds: a slice in which the answer changed is
 * measured again.
 */
function answersPerSecond(port: number, { isKnown = false, ...load }: ReadOptions): () => Promise<number> {
  return async () => {
    for (;;) {
      const { tag } = await answerOf(port)
      const request = `GET /api/status HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: br\r\n${isKnown ? `If-None-Match: ${tag}\r\n` : ''}\r\n`
      const speed = await throughput({ port, request, ...slice, ...load })
      if ((await answerOf(port)).tag === tag) return speed
    }
  }
}

async function answerOf(port: number): Promise<{ tag: string; bytes: number }> {
  const { headers } = await fetch(`http://127.0.0.1:${port}/api/status`, {
    headers: { 'accept-encoding': 'br' },
  })
  return { tag: headers.get('etag')!, bytes: Number(headers.get('content-length')) }
}

/**
 * The same 2,000 recent incidents under 10,000 and under 1,000,000 in all, in two databases of one
 * server.
 */
async function againstHistory(small: string): Promise<boolean> {
  const large = await copyDatabase(small, 'large')
  await using(large, () => fillIncidents(olderIncidents))
  await using(large, fillImpactsByFields)
  await using(large, () => fill('vacuum analyze'))
  const times = await timesAsLong(coldSpeed, { small, large, rounds: roundsOfHistory })
  return verdict('status computed at 1,000,000 incidents against 10,000', times, { atMost: 1.1 })
}

const olderIncidents = `
  insert into incidents (title, severity, is_downtime, status, source, asset_id, created_at, acknowledged_at,
    resolved_at, verified_at)
  select 'Old ' || n, (array['low','medium','high','critical'])[1 + n % 4], n % 4 = 3, 'verified', 'web',
    1 + n % 100, at, at, at + interval '2 hours', at + interval '3 hours'
  from (select n, now() - interval '100 days' - n * interval '30 seconds' as at
    from generate_series(1, ${olderHistory}) n) given`

/** How often the status is computed in a slice. */
const computationsPerSlice = sized({ usual: 30, tiny: 2 })
const coldSpeed = () => perSecond(async () => buildingState(await statusRows()), computationsPerSlice, 10)
