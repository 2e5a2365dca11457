import { load } from 'cheerio'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { multipart } from '../../support/pictures.js'
import { type Caretaker, startCaretaker } from '../../support/process.js'
import { perRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'
import { startProxy, type TcpProxy } from '../../support/services/proxy.js'
import { signedInAt } from '../../support/signedInAt.js'

const url = useDatabase()
let proxy: TcpProxy
let server: Caretaker
let cookie: string

beforeAll(async () => {
  proxy = await startProxy(url())
  server = await startCaretaker({ DATABASE_URL: proxy.address, DATA_DIR: newFolder(), ...keys })
  cookie = (await signedInAt(server.origin, ['resident'])).resident!
})
afterAll(stopAll)

describe.each(perRun({ quick: ['refuse'], whole: ['refuse', 'hang'] as const }))(
  'while the database does not answer: %s',
  (how) => {
    /** What was asked for before the database went away. */
    const files = ['/badge.svg', '/assets/1/badge.svg', '/feed.atom', '/calendar.ics', '/api/v2/summary.json']
    const mobile = { authorization: `Bearer ${keys.MOBILE_API_KEY}` }
    let tag: string
    let from: number
    const logged = (words: RegExp) => server.output().slice(from).match(words)

    beforeAll(async () => {
      const before = await get('/api/status')
      tag = before.headers.get('etag')!
      expect(await before.json()).not.toHaveProperty('lastKnownMinutesAgo')
      expect((await get('/', { ...html, cookie })).status).toBe(200)
      for (const path of files) expect((await get(path)).status).toBe(200)
      from = server.output().length
      await proxy[how]()
    })

    it.each([
      ['a guest', {}],
      ['who has a tag of it', { 'if-none-match': 'tag' }],
      ['the mobile app', mobile],
    ])('the status is answered as it was last known: %s', async (_who, given: Record<string, string>) => {
      const headers = given['if-none-match'] ? { 'if-none-match': tag } : given
      const answer = await get('/api/status', headers)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ lastKnownMinutesAgo: 0, summary: { total: 12 } })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('etag')).toBeNull()
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    })

    it('the page says how old it is, to guests and to who is signed in, in their language', async () => {
      for (const [address, headers, words] of [
        ['/', html, 'less than a minute ago'],
        ['/live', html, 'less than a minute ago'],
        ['/', { ...html, cookie }, 'less than a minute ago'],
        ['/', { ...html, 'accept-language': 'es' }, 'hace menos de un minuto'],
      ] as const) {
        const answer = await get(address, headers)
        expect([address, answer.status, answer.headers.get('etag')]).toEqual([address, 200, null])
        expect(load(await answer.text())('[role=status]').text()).toContain(words)
      }
    })

    it.each([...files, '/assets/2/badge.svg'])(
      'the file is as it was last known, says its age, and shows on other sites: %s',
      async (path) => {
        for (const headers of path.startsWith('/assets/2/') ? [{}] : [{}, { cookie }]) {
          const answer = await get(path, headers)
          expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
          expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
          expect(answer.headers.get('x-frame-options')).toBe('DENY')
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
          const said = /less than a minute ago|"last_known_minutes_ago":0/
          expect((await answer.text()).replaceAll('\r\n ', '')).toMatch(said)
        }
      },
    )

    it('everything else is refused in its own representation, until when to ask again', async () => {
      const answers = await Promise.all([
        get('/incidents', html),
        get('/api/incidents'),
        get('/incidents', { ...html, cookie }),
        fetch(`${server.origin}/api/incidents`, {
          method: 'POST',
          headers: { ...mobile, 'content-type': 'application/json' },
          body: JSON.stringify({ title: 'Away', severity: 'low', assetId: 1 }),
        }),
      ])
      for (const answer of answers) {
        expect([answer.url, answer.status]).toEqual([answer.url, 503])
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      const page = load(await answers[0]!.text())('main').text()
      expect(page).not.toContain('Nothing has been saved')
      const [, reference] = /Reference for the building office: (\w{8})\s/.exec(page)!
      await vi.waitFor(() => expect(server.output()).toContain(`"requestId":"${reference}`))
      const types = answers.map(({ headers }) => headers.get('content-type')!.split(';')[0])
      expect(types).toEqual([
        'text/html',
        'application/problem+json',
        'text/html',
        'application/problem+json',
      ])
    })

    it.each([
      ['with a photo', [{ bytes: Buffer.from('photo') }], true],
      ['without one', [], false],
    ])('a comment is kept on the page, which speaks of photos: %s', async (_what, photos, spokenOf) => {
      const answer = await fetch(`${server.origin}/incidents/45/updates`, {
        method: 'POST',
        headers: { ...html, cookie, 'sec-fetch-site': 'same-origin' },
        body: multipart({ body: 'Still stuck' }, photos),
      })
      expect(answer.status).toBe(503)
      const main = load(await answer.text())('main')
      expect(main.find('blockquote').text()).toBe('Still stuck')
      expect(main.text().includes('Photos won’t be included')).toBe(spokenOf)
      expect(main.text()).toContain('Nothing has been saved')
    })

    it('the process lives, and says which part keeps it from its work', async () => {
      expect((await get('/healthz')).status).toBe(200)
      const ready = await get('/readyz')
      expect(ready.status).toBe(503)
      expect(await ready.json()).toMatchObject({ checks: { database: 'failed' } })
    })

    it('it is ready by itself when the database is back, and the status is the present one', async () => {
      await proxy.mend()
      await vi.waitFor(async () => expect((await get('/readyz')).status).toBe(200), { timeout: 40_000 })
      const now = await get('/api/status')
      expect(await now.json()).not.toHaveProperty('lastKnownMinutesAgo')
      expect(now.headers.get('etag')).not.toBeNull()
      expect((await get('/', { ...html, cookie })).status).toBe(200)
      expect(server.output()).not.toMatch(/unhandled rejection|"level":"fatal"/)
      await vi.waitFor(() => expect(logged(/"msg":"database is back after [\d.]+ s"/g)).toHaveLength(1))
      expect(logged(/"msg":"database away: /g)).toHaveLength(1)
    })
  },
)

it('connections that are cut are made anew for whoever asks for the status next', async () => {
  expect((await get('/api/status')).status).toBe(200)
  proxy.cut()
  const answers = await Promise.all(Array.from({ length: 5 }, () => get('/api/status')))
  for (const answer of answers) expect(await answer.json()).toMatchObject({ summary: { total: 12 } })
  expect(await server.end()).toBe(0)
})

const html = { accept: 'text/html' }

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(server.origin + address, { headers, redirect: 'manual' })

async function stopAll(): Promise<void> {
  await server.end('SIGKILL')
  await proxy.end()
}
