import { chmodSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/platform/postgres/embeddedPostgres.js'
import { version } from '../../../src/platform/process/version.js'
import { makePrivateBuilding } from '../../support/database.js'
import { pooled, startPgBouncer } from '../../support/host/parts.js'
import { keys } from '../../support/keys.js'
import { type Caretaker, startCaretaker, startWorker } from '../../support/process.js'
import { eventually } from '../../support/run/eventually.js'
import { newFolder } from '../../support/run/folders.js'

describe('ten processes under load', { timeout: 600_000 }, () => {
  it('are within the connections a server usually has, as docs/operate/capacity.md counts', async () => {
    const pool = 5
    const full = 8 * (pool + 1)
    const seen = await underLoad({ DATABASE_POOL: String(pool) }, [8, 2], { full })
    expect(seen.statuses).toEqual({ 200: 8 * bursts * 3, 201: 8 * bursts })
    expect([of('web'), of('worker'), of('job')]).toEqual(expect.arrayContaining(Object.keys(seen.by)))
    expect(seen.by[of('web')]).toBe(full)
    expect(seen.by[of('worker')]).toBeLessThanOrEqual(2 * (pool + 1))
    // One job of three may run beside the others; the release step takes four.
    expect(seen.all + 4).toBeLessThan(usual)
  })

  describe.skipIf(!pooled)('behind PgBouncer', () => {
    it('are within its pool, each with as many as are usual for it', async () => {
      const seen = await underLoad({}, [7, 3], { behindPooler: true })
      expect(seen.statuses).toEqual({ 200: 7 * bursts * 3, 201: 7 * bursts })
      expect(seen.all).toBeLessThanOrEqual(20)
    })
  })
})

/** PostgreSQL's usual limit, of which it keeps three for its owner. */
const usual = 100 - 3

const of = (name: string) => `caretaker ${name} ${version}`
type Sent = { method?: string; headers?: Record<string, string>; body?: string }
const reads = ['/incidents', '/api/status', '/assets/1']

/** Requests at once to each web, and how often: few enough for a machine that has other work. */
const [atOnce, bursts] = [4, 6]

/** One request of a burst: pages and reports, of which one in four writes. */
function asked(n: number): [address: string, sent: Sent] {
  if (n % 4 < 3) return [reads[n % 4]!, {}]
  const headers = { authorization: `Bearer ${keys.MOBILE_API_KEY}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ assetId: 1 + (n % 12), title: `Burst ${n}`, severity: 'low' })
  return ['/api/incidents', { method: 'POST', headers, body }]
}

/** What the server saw at the most: connections under each name, and all of them together. */
type Peak = { by: Record<string, number>; all: number }

/** Looks every few milliseconds until `end`. */
async function watchConnections(url: string): Promise<{ peak: Peak; end: () => Promise<void> }> {
  const watcher = new pg.Client({ connectionString: url })
  await watcher.connect()
  const peak: Peak = { by: {}, all: 0 }
  let over = false
  const watching = (async () => {
    while (!over) {
      const { rows } = await watcher.query<{ name: string; n: number }>(
        `select application_name as name, count(*)::integer as n from pg_stat_activity
         where application_name like 'caretaker %' group by 1`,
      )
      for (const { name, n } of rows) peak.by[name] = Math.max(peak.by[name] ?? 0, n)
      peak.all = Math.max(
        peak.all,
        rows.reduce((sum, { n }) => sum + n, 0),
      )
      await sleep(10)
    }
  })()
  return {
    peak,
    end: async () => {
      over = true
      await watching
      await watcher.end()
    },
  }
}

/**
 * So many webs and workers under bursts of requests; the peak, and the answers by their
 * status. `full`: of all webs.
 */
async function underLoad(
  settings: Record<string, string>,
  [webs, workers]: [number, number],
  { behindPooler = false, full = 0 } = {},
): Promise<Peak & { statuses: Record<number, number> }> {
  const folder = newFolder()
  // PgBouncer reads it as somebody who is not root.
  chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'server')
  makePrivateBuilding(dataDir)
  const server = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '100' } })
  const pooler = behindPooler ? await startPgBouncer(folder, server.url) : undefined
  const watch = await watchConnections(server.ownerUrl)
  const working: Pick<Caretaker, 'end'>[] = []
  const serving: Caretaker[] = []
  // Whatever fails: processes left behind would slow the tests after this one, and
  // keep the run from ending.
  onTestFinished(async () => {
    await Promise.all([...serving, ...working].map((each) => each.end()))
    await watch.end()
    await pooler?.end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const url = pooler?.url ?? server.url
  const env = { DATABASE_URL: url, DATA_DIR: path.join(folder, 'data'), ...settings, ...keys }
  for (let i = 0; i < workers; i++) working.push(await startWorker(env))
  for (let i = 0; i < webs; i++) serving.push(await startCaretaker(env))

  // What nobody used for a minute is closed, and a busy machine may start them for
  // longer: requests open it again.
  await eventually(async () => {
    const { [of('web')]: open = 0 } = watch.peak.by
    if (open >= full) return
    // The list takes as many as there are, the status the one that is its own.
    const addresses = [...Array<string>(12).fill('/incidents'), '/api/status']
    const reading = serving.flatMap(({ origin }) => addresses.map((address) => fetch(origin + address)))
    await Promise.all(reading.map(async (answer) => (await answer).arrayBuffer()))
    throw new Error(`the webs have ${open} connections`)
  })
  const statuses: Record<number, number> = {}
  for (let round = 0; round < bursts; round++)
    await Promise.all(
      serving.flatMap(({ origin }) =>
        Array.from({ length: atOnce }, async (_, n) => {
          const [address, sent] = asked(n)
          const answer = await fetch(origin + address, sent)
          await answer.arrayBuffer()
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        }),
      ),
    )
  const codes = await Promise.all([...serving, ...working].map((each) => each.end()))
  expect(codes).toEqual(Array(webs + workers).fill(0))
  return { ...watch.peak, statuses }
}
