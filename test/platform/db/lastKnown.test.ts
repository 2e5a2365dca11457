import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { load } from 'cheerio'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { statusFastPath } from '../../../src/status/statusFastPath.js'
import { useDatabase } from '../../support/database.js'
import { eventually } from '../../support/run/eventually.js'
import { listenOnFreePort } from '../../support/run/ports.js'
import { startProxy, type TcpProxy } from '../../support/services/proxy.js'

const url = useDatabase()
/** What the fast path leaves to the application, which would wait for the database once more. */
const application = vi.fn((_req: IncomingMessage, res: ServerResponse) => void res.writeHead(503).end())
let proxy: TcpProxy

let web: { origin: string; stop: () => Promise<void> }

beforeAll(startBeforeProxy)
afterAll(stopAll)
beforeEach(learnStatus)
afterEach(mendDatabase)

describe('guests who ask for the status', () => {
  it.each(['refuse', 'hang'] as const)(
    'get what was last known with no second wait for the database: %s',
    async (how) => {
      await proxy[how]()
      const pages = [
        ['/', 'en', 'less than a minute ago'],
        ['/live', 'en', 'less than a minute ago'],
        ['/', 'es', 'hace menos de un minuto'],
      ] as const
      const [json, ...answers] = await Promise.all([
        get('/api/status'),
        ...pages.map(([address, language]) => get(address, { ...html, 'accept-language': language })),
      ])
      expect(json!.status).toBe(200)
      expect(json!.headers.get('cache-control')).toBe('no-store')
      expect(json!.headers.get('x-request-id')).toBeTruthy()
      expect(await json!.json()).toMatchObject({ lastKnownMinutesAgo: 0, summary: { total: 12 } })
      for (const [n, [address, language, words]] of pages.entries()) {
        const answer = answers[n]!
        expect([answer.status, answer.headers.get('content-language')]).toEqual([200, language])
        const page = await answer.text()
        expect(load(page)('[role=status]').text()).toContain(words)
        expect(page.includes('<html')).toBe(address === '/')
      }
      expect(application).not.toHaveBeenCalled()
    },
  )

  it('get it for a quarter of an hour, with its age, and then no more', async () => {
    await proxy.refuse()
    for (const minutes of [0, 1, 14]) {
      vi.advanceTimersByTime(minutes * 60_000 - performance.now())
      expect(await (await get('/api/status')).json()).toMatchObject({ lastKnownMinutesAgo: minutes })
    }
    vi.advanceTimersByTime(15 * 60_000 - performance.now())
    for (const [address, headers] of [
      ['/api/status', {}],
      ['/', html],
      ['/live', html],
    ] as const)
      expect((await get(address, headers)).status).toBe(503)
    expect(application).toHaveBeenCalledTimes(3)
  })
})

/** A server of the fast path alone, over a database that the proxy can take away. */
async function startBeforeProxy(): Promise<void> {
  const server = createServer((req, res) => {
    if (!statusFastPath(req, res, application)) application(req, res)
  })
  web = await listenOnFreePort(server)
  proxy = await startProxy(url())
  await closeDatabase()
  openDatabase(proxy.address, 4)
}

async function stopAll(): Promise<void> {
  await web.stop()
  await closeDatabase()
  await proxy.end()
}

/** Asks once while the database is there: what is known last is known from now on. */
async function learnStatus(): Promise<void> {
  vi.useFakeTimers({ toFake: ['performance'] })
  expect(await (await get('/api/status')).json()).not.toHaveProperty('lastKnownMinutesAgo')
  application.mockClear()
}

async function mendDatabase(): Promise<void> {
  vi.useRealTimers()
  await proxy.mend()
  await eventually(async () => expect((await get('/api/status')).headers.get('etag')).not.toBeNull())
}

const html = { accept: 'text/html' }

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(web.origin + address, { headers })
