import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { load } from 'cheerio'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { statusFastPath } from '../../../src/status/statusFastPath.js'
import { useDatabase } from '../../support/database.js'
import { eventually } from '../../support/run/eventually.js'
import { startProxy, type TcpProxy } from '../../support/services/proxy.js'

const url = useDatabase()
/** What the fast path leaves to the application, which would wait for the database once more. */
const application = vi.fn((_req: IncomingMessage, res: ServerResponse) => void res.writeHead(503).end())
let proxy: TcpProxy

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { hostname, port } = new URL(url())
  proxy = await startProxy({ host: hostname, port: Number(port) })
  await closeDatabase()
  openDatabase(Object.assign(new URL(url()), { host: `127.0.0.1:${proxy.port}` }).href, 4)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await closeDatabase()
  await proxy.end()
})

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  expect(await (await get('/api/status')).json()).not.toHaveProperty('lastKnownMinutesAgo')
  application.mockClear()
})
afterEach(async () => {
  vi.useRealTimers()
  await proxy.mend()
  await eventually(async () => expect((await get('/api/status')).headers.get('etag')).not.toBeNull())
})

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

const server = createServer((req, res) => {
  if (!statusFastPath(req, res, application)) application(req, res)
})

const html = { accept: 'text/html' }

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${address}`, { headers })
