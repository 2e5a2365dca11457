import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keys } from '../../support/keys.js'
import { type OwnPostgres, startOwnPostgres } from '../../support/parts/ownPostgres.js'
import { type Caretaker, startCaretaker } from '../../support/process.js'
import { eventually } from '../../support/suite/eventually.js'

const folder = mkdtempSync(path.join(tmpdir(), 'caretaker-stopped-'))
let postgres: OwnPostgres
let web: Caretaker

beforeAll(async () => {
  postgres = await startOwnPostgres(path.join(folder, 'postgres'))
  web = await startCaretaker({ DATABASE_URL: postgres.url, DATA_DIR: path.join(folder, 'web'), ...keys })
})
afterAll(async () => {
  await web?.end('SIGKILL')
  await postgres?.end()
  rmSync(folder, { recursive: true, force: true })
})

const html = { accept: 'text/html' }
const json = { accept: 'application/json' }
const mobile = { authorization: `Bearer ${keys.MOBILE_API_KEY}`, 'content-type': 'application/json' }
const monitor = { authorization: `Bearer ${keys.METRICS_TOKEN}` }
const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(web.origin + address, { headers, redirect: 'manual', signal: AbortSignal.timeout(patience) })
const report = () =>
  fetch(`${web.origin}/api/incidents`, {
    method: 'POST',
    headers: mobile,
    body: JSON.stringify({ title: 'Dark', severity: 'low', assetId: 1 }),
    signal: AbortSignal.timeout(patience),
  })

/** In ms. Promised are 3 s, and 10 s of one that is frozen; what waits for the database itself waits for ever. */
const patience = 40_000

/** How the server goes away while the web runs, and what it has done by then. */
const ways: Record<string, () => unknown> = {
  'stopped at once': async () => {
    postgres.signal('SIGINT')
    await postgres.ended()
  },
  'stopped, once its clients are gone': async () => {
    // It takes no new clients, and keeps those it has: what they get meanwhile is an answer or a refusal.
    postgres.signal('SIGTERM')
    const answers = await Promise.all([
      get('/api/incidents'),
      get('/', html),
      get('/incidents', html),
      report(),
    ])
    for (const { status } of answers) expect([200, 201, 503]).toContain(status)
    postgres.signal('SIGINT')
    await postgres.ended()
  },
  frozen: () => postgres.freeze(),
}

describe.each(Object.keys(ways))('PostgreSQL %s', (way) => {
  let before = 0
  const lines = (words: RegExp) =>
    web
      .output()
      .slice(before)
      .split('\n')
      .filter((line) => words.test(line))

  beforeAll(async () => {
    before = web.output().length
    await eventually(async () => expect((await get('/readyz')).status).toBe(200))
    expect(await (await get('/api/status')).json()).not.toHaveProperty('lastKnownMinutesAgo')
    expect((await get('/', html)).status).toBe(200)
    await ways[way]!()
  })

  it('leaves refusals in both representations, with the time to ask again, and no other', async () => {
    const answers = await Promise.all([
      get('/incidents', html),
      get('/assets/1', html),
      get('/api/incidents', json),
      get('/api/towers', json),
      report(),
    ])
    for (const answer of answers) {
      expect([answer.url, answer.status]).toEqual([answer.url, 503])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      const type = answer.headers.get('content-type')!.split(';')[0]
      expect(type).toBe(answer.url.includes('/api/') ? 'application/problem+json' : 'text/html')
    }
  })

  it('leaves the status as it was last known, with its age', async () => {
    const [status, page] = await Promise.all([get('/api/status', json), get('/', html)])
    expect([status.status, page.status]).toEqual([200, 200])
    expect(await status.json()).toMatchObject({ lastKnownMinutesAgo: expect.any(Number) })
    expect(await page.text()).toMatch(/minutes? ago/)
  })

  it('leaves the process alive and not ready; monitors are told more than guests', async () => {
    expect((await get('/healthz')).status).toBe(200)
    // What was found a moment ago is told for a second.
    await eventually(async () => {
      const [guest, told] = await Promise.all([get('/readyz'), get('/readyz', monitor)])
      expect([guest.status, told.status]).toEqual([503, 503])
      const ofGuest = (await guest.json()) as object
      expect(ofGuest).toMatchObject({ checks: { accepting: 'ok', database: 'failed' } })
      expect(Object.keys(ofGuest).sort()).toEqual(['checks', 'status'])
      expect(await told.json()).toMatchObject({ checks: { database: 'failed' }, version: expect.any(String) })
    })
  })

  it('is used again as soon as it is back, by the same process', async () => {
    await postgres.back()
    await eventually(async () => expect((await get('/readyz')).status).toBe(200))
    expect((await report()).status).toBe(201)
    expect((await get('/incidents', html)).status).toBe(200)
    expect(await (await get('/api/status')).json()).not.toHaveProperty('lastKnownMinutesAgo')
    expect(web.child.exitCode).toBeNull()
    expect(web.output()).not.toMatch(/unhandled rejection|"level":"fatal"/)
  })
  it('is one line in the log when it goes away, in words, and one when it is back', async () => {
    await eventually(() => expect(lines(/"msg":"database is back after [\d.]+ s"/)).toHaveLength(1))
    expect(lines(/"msg":"database away: /)).toHaveLength(1)
    expect(lines(/"msg":"(outbox|webhooks|database connections? lost)"/)).toEqual([])
  })
})
