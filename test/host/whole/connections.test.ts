import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/embeddedPostgres.js'
import { version } from '../../../src/version.js'
import { makeDataFolder } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { startCaretaker, startWorker } from '../../support/process.js'

/** PostgreSQL's usual limit, of which it keeps three for its owner. */
const usual = 100 - 3
const pool = 5
const of = (name: string) => `caretaker ${name} ${version}`

describe('ten processes under load', () => {
  it('are within the connections a server usually has, as docs/deployment.md counts', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'caretaker-ten-'))
    const dataDir = path.join(folder, 'server')
    makeDataFolder(dataDir)
    const server = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '100' } })
    const watcher = new pg.Client({ connectionString: server.ownerUrl })
    await watcher.connect()
    const env = {
      DATABASE_URL: server.url,
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_POOL: String(pool),
      ...keys,
    }
    const workers = await Promise.all([startWorker(env), startWorker(env)])
    const webs = []
    for (let i = 0; i < 8; i++) webs.push(await startCaretaker(env))

    const counts: Record<string, number>[] = []
    const look = async () => {
      const { rows } = await watcher.query<{ name: string; n: number }>(
        `select application_name as name, count(*)::integer as n from pg_stat_activity
         where application_name like 'caretaker %' group by 1`,
      )
      counts.push(Object.fromEntries(rows.map(({ name, n }) => [name, n])))
    }
    const failed: string[] = []
    const use = async (origin: string, n: number) => {
      const answer = await fetch(origin + ['/incidents', '/api/status', '/assets/1'][n % 3])
      if (answer.status !== 200) failed.push(`${answer.status} ${answer.url}`)
      await answer.arrayBuffer()
    }
    for (let round = 0; round < 3; round++)
      await Promise.all([
        ...webs.flatMap(({ origin }) => Array.from({ length: 12 }, (_, n) => use(origin, n))),
        look(),
      ])
    await look()
    await watcher.end()
    expect(await Promise.all([...webs, ...workers].map((each) => each.end()))).toEqual(Array(10).fill(0))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })

    expect(failed).toEqual([])
    const most = (name: string) => Math.max(...counts.map((each) => each[name] ?? 0))
    expect([of('web'), of('worker'), of('job')]).toEqual(
      expect.arrayContaining([...new Set(counts.flatMap(Object.keys))]),
    )
    expect(most(of('web'))).toBe(8 * (pool + 1))
    expect(most(of('worker'))).toBeLessThanOrEqual(2 * (pool + 1))
    const all = Math.max(...counts.map((each) => Object.values(each).reduce((sum, n) => sum + n, 0)))
    // One job of three may run beside the others; the release step takes four.
    expect(all + 4).toBeLessThan(usual)
  })
})
