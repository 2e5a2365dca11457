import { execFile, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { checkout } from '../../support/compiled.js'
import { useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { type Caretaker, runJobProcess, startCaretaker } from '../../support/process.js'
import { newFolder } from '../../support/run/folders.js'

/** Version 1.0.0. Its commit is missing where only the newest was cloned. */
const former = 'bfee6a98e7bdef2856495b9c93df35969e94bd20'
const isKnown = spawnSync('git', ['cat-file', '-e', former], { cwd: checkout }).status === 0
const database = useDatabase({ empty: true })
const folder = newFolder()

describe.skipIf(!isKnown)('an upgrade from version 1.0.0', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    await run('sh', ['-c', `git archive ${former} | tar -x -C "${folder}"`], { cwd: checkout })
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
    await run('node', ['jobs/build.mjs', '--noCheck'], { cwd: folder })
    await runJobProcess(inFormer('jobs/migrate'), env())
    await runJobProcess(inFormer('jobs/seed'), env())
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('under traffic fails no request and loses no report, and so does the way back', async () => {
    const webs: Caretaker[] = []
    const start = async (script?: string) => {
      webs.push(await startCaretaker(env(), script))
      return webs.at(-1)!
    }
    const readiness = async ({ origin }: Caretaker) => (await fetch(`${origin}/readyz`)).status
    const old = await start(inFormer('src/server.js'))
    const traffic = startTraffic(old.origin)
    await traffic.more(20)

    await runJobProcess('migrate', env())
    await traffic.more(20)
    expect(await readiness(old)).toBe(200)

    const next = await start()
    expect(await readiness(next)).toBe(200)
    traffic.goTo(next.origin)
    await traffic.more(20)

    const again = await start(inFormer('src/server.js'))
    expect(await readiness(again)).toBe(200)
    traffic.goTo(again.origin)
    await traffic.more(20)

    await traffic.end()
    expect(await Promise.all(webs.map((web) => web.end()))).toEqual([0, 0, 0])
    expect(traffic.failures).toEqual([])
    const stored = await query<{ title: string }>(`select title from incidents where title like 'Report %'`)
    expect(stored.map(({ title }) => title).sort()).toEqual(traffic.titles.toSorted())
  })
})

const run = promisify(execFile)
const env = () => ({ DATABASE_URL: database(), DATA_DIR: path.join(folder, 'data'), ...keys })
const inFormer = (file: string) => path.join(folder, 'dist', file)

/**
 * Reads and reports, one after the other, at whichever web it is pointed to; what
 * failed, and which were stored.
 */
function startTraffic(first: string) {
  const failures: string[] = []
  const titles: string[] = []
  let origin = first
  let isOver = false
  const ask = async (method: string, url: string, body?: object) => {
    const headers = { authorization: `Bearer ${keys.MOBILE_API_KEY}`, 'content-type': 'application/json' }
    const answer = await fetch(new URL(url, origin), {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: Error) => ({ status: error.message, arrayBuffer: async () => null }))
    await answer.arrayBuffer()
    if (![200, 201].includes(answer.status as number)) failures.push(`${method} ${url}: ${answer.status}`)
  }
  const work = (async () => {
    while (!isOver) {
      const title = `Report ${titles.length}`
      titles.push(title)
      await ask('POST', '/api/incidents', { title, assetId: 1, severity: 'low' })
      await ask('GET', '/api/status')
      await ask('GET', '/')
    }
  })()
  /** Resolves once so many more reports were made. */
  const more = (count: number) => {
    const before = titles.length
    return expect.poll(() => titles.length - before, { timeout: 30_000 }).toBeGreaterThan(count)
  }
  return {
    failures,
    titles,
    more,
    goTo: (next: string) => (origin = next),
    end: async () => {
      isOver = true
      await work
    },
  }
}
