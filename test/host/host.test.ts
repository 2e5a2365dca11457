import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { readCheckout } from '../support/compiled.js'
import { useDatabase } from '../support/database.js'
import { endGathering } from '../support/email/messages.js'
import { openBuilding, password } from '../support/host/building.js'
import { askWeb, type Question, signedIn } from '../support/host/host.js'
import { withoutParts } from '../support/host/programs.js'
import { cookieOf } from '../support/house/asking.js'
import { multipart, picture } from '../support/pictures.js'
import { eventually } from '../support/run/eventually.js'
import { inWholeRun } from '../support/run/extent.js'

const database = useDatabase()

let building: Building
let host: Building['host']
let cookies: Building['cookies']

describe('nginx as the example has it', () => {
  const site = readCheckout('docs/deploy/nginx.conf')

  it('leaves out no process that restarts, and believes no header of a client', () => {
    const servers = site.split('\n').filter((line) => /^ +server \d/.test(line))
    expect(servers).toHaveLength(2)
    for (const server of servers) expect(server).toContain(' max_fails=0;')
    for (const name of ['For', 'Proto', 'Host'])
      expect(site).toMatch(new RegExp(`proxy_set_header X-Forwarded-${name} \\$(remote_addr|scheme|host);`))
    expect(site).not.toContain('proxy_add_x_forwarded_for')
  })
})

inWholeRun(() => {
  describe.skipIf(withoutParts)('two of everything', { timeout: 300_000 }, () => {
    beforeAll(open)
    afterAll(async () => {
      expect(await building.end()).toEqual([0, 0, 0, 0])
    })

    it('carry a report to its end: acknowledged, fixed, confirmed, exported, merged', async () => {
      const id = await reportByForm('resident', { assetId: '1', title: 'It does not move', severity: 'high' })
      for (const newStatus of ['acknowledged', 'in_progress', 'resolved'])
        expect(
          (await postJson('manager', `/api/incidents/${id}/updates`, { body: 'Done', newStatus })).status,
        ).toBe(201)
      expect((await postJson('resident', `/api/incidents/${id}/verify`, { fixed: true })).status).toBe(200)
      expect((await as('resident', `/api/incidents/${id}`)).body.status).toBe('verified')
      const sheet = await as('manager', '/api/export/incidents.csv')
      expect(
        sheet.body.split('\r\n').filter((line: string) => line.includes('It does not move')),
      ).toHaveLength(1)

      const [survivor, duplicate] = [
        await reportByForm('resident', { assetId: '2', title: 'The door is stuck', severity: 'low' }),
        await reportByForm('resident', { assetId: '2', title: 'Door', severity: 'low' }),
      ]
      const merged = await postJson('manager', `/api/incidents/${duplicate}/merge`, { targetId: survivor })
      expect(merged.status).toBe(200)
      expect((await as('resident', `/api/incidents/${duplicate}`)).body).toMatchObject({
        mergedInto: survivor,
      })
    })

    it('speak TLS alone, keep cookies to it, and close what is not for the public', async () => {
      const answer = await host.ask('/api/auth/sign-in/email', {
        method: 'POST',
        json: { email: 'new-resident@example.com', password },
      })
      const set = answer.headers.getSetCookie()
      expect(set).not.toEqual([])
      for (const cookie of set) expect(cookie).toMatch(/^__Host-.*; ?secure(;|$)/i)
      expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
      expect((await host.ask('/metrics')).status).toBe(404)
      const plain = await fetch(`${host.plainUrl}/report?x=1`, { redirect: 'manual' })
      expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://receiver.test/report?x=1'])
    })

    it('show in the next read of one what the other acknowledged, and that nothing changed', async () => {
      for (let round = 0; round < 20; round++) {
        const [writer, reader] = round % 2 ? host.webs : host.webs.toReversed()
        const look = async (headers: Record<string, string> = {}) => {
          const answer = await askWeb(reader!, '/api/status', { phone: true, headers })
          const body = answer.status === 304 ? null : await answer.json()
          const state = body?.assets.find(({ id }: { id: number }) => id === 3).status
          return { status: answer.status, etag: answer.headers.get('etag')!, state }
        }
        // With the minute, what is shown may change by itself.
        const before = await eventually(async () => {
          const first = await look()
          expect((await look({ 'if-none-match': first.etag })).status).toBe(304)
          return first
        })
        const made = await askWeb(writer!, '/api/incidents', {
          method: 'POST',
          phone: true,
          json: { assetId: 3, title: `Round ${round}`, severity: 'critical' },
        })
        expect(made.status).toBe(201)
        const { id } = (await made.json()) as { id: number }
        const after = await look({ 'if-none-match': before.etag })
        expect([after.status, after.state]).toEqual([200, 'down'])
        expect((await askWeb(reader!, `/api/incidents/${id}`, { phone: true })).status).toBe(200)
        const mended = await askWeb(writer!, `/api/incidents/${id}/updates`, {
          method: 'POST',
          cookie: cookies.manager,
          json: { body: 'Done', newStatus: 'resolved' },
        })
        expect(mended.status).toBe(201)
        expect((await look({ 'if-none-match': after.etag })).state).toBe(before.state)
      }
    })

    it('share sessions', async () => {
      const [one, two] = host.webs
      const cookie = await signedIn((...asked) => askWeb(one, ...asked), 'new-resident@example.com', password)
      const session = async (web: typeof one) => (await askWeb(web, '/api/account', { cookie })).status
      expect([await session(one), await session(two)]).toEqual([200, 200])
      expect(
        (await askWeb(two, '/api/auth/sign-out', { method: 'POST', cookie, json: {} })).status,
      ).toBeLessThan(300)
      expect([await session(one), await session(two)]).toEqual([401, 401])
    })

    it('share throttles', async () => {
      const guess = async (i: number) => {
        const answer = await askWeb(host.webs[i % 2]!, '/api/auth/sign-in/email', {
          method: 'POST',
          headers: { 'x-forwarded-for': '203.0.113.9' },
          json: { email: 'new-resident@example.com', password: `wrong ${i}` },
        })
        return [answer.status, cookieOf(answer)]
      }
      for (let i = 0; i < 10; i++) expect(await guess(i)).toEqual([401, ''])
      expect([(await guess(10))[0], (await guess(11))[0]]).toEqual([429, 429])
    })

    it('serve at one the photo that came in at the other', async () => {
      const form = multipart({ assetId: '4', title: 'See for yourself', severity: 'low' }, [
        { bytes: await picture() },
      ])
      const [one, two] = host.webs
      const made = await askWeb(one, '/api/incidents', { method: 'POST', cookie: cookies.resident, form })
      const { id } = (await made.json()) as { id: number }
      const { photos } = await (await askWeb(two, `/api/incidents/${id}`, { phone: true })).json()
      expect(photos).toHaveLength(1)
      const sizes = await Promise.all(
        [one, two].map(async (web) => {
          const answer = await askWeb(web, `/api/photos/${photos[0].path}`, { phone: true })
          return [answer.status, Buffer.from(await answer.arrayBuffer()).toString('base64')]
        }),
      )
      expect(sizes[0]![0]).toBe(200)
      expect(sizes[1]).toEqual(sizes[0])
    })

    it('run each job once a period, send each email once and each webhook at most once', async () => {
      const open = `select
        (select count(*) from events) + (select count(*) from webhook_deliveries where finished_at is null)
        + (select count(*) from outbox where kind = 'mail' and sent_at is null and failed_at is null) as n`
      await vi.waitFor(
        async () => {
          await endGathering()
          expect(await query(open)).toEqual([{ n: 0 }])
        },
        { timeout: 90_000, interval: 250 },
      )

      const ids = host.receiver.received.map(({ id }) => id)
      const delivered = await query<{ id: string }>('select event_id as id from webhook_deliveries')
      expect(ids.length).toBeGreaterThan(20)
      expect(ids.toSorted()).toEqual(delivered.map(({ id }) => id).toSorted())

      const names = host.emails.map(({ text }) => /^Message-ID:\s+<(.*)>/im.exec(text)![1])
      expect(names.length).toBeGreaterThan(5)
      expect(new Set(names).size).toBe(names.length)
      for (const { encrypted, user } of host.emails) expect([encrypted, user]).toEqual([true, 'caretaker'])
      const sent = await query(`select count(*) as n from outbox where kind = 'mail' and sent_at is not null`)
      expect(sent).toEqual([{ n: names.length }])

      const runs = `select job, period, count(*) as n from job_runs where period is not null group by 1, 2`
      await vi.waitFor(
        async () =>
          expect(await query(`${runs} having job = 'sweep'`)).toEqual([expect.objectContaining({ n: 1 })]),
        { timeout: 60_000, interval: 250 },
      )
      expect(await query(`${runs} having count(*) > 1`)).toEqual([])
    })
  })
})

type Building = Awaited<ReturnType<typeof openBuilding>>
type Who = keyof Building['cookies']

/** Asks through nginx as somebody who is signed in. */
async function as(who: Who, address: string, question: Question = {}) {
  const answer = await host.ask(address, { cookie: cookies[who], ...question })
  return { status: answer.status, body: await bodyOf(answer) }
}

const postJson = (who: Who, address: string, json: unknown) => as(who, address, { method: 'POST', json })

async function bodyOf(answer: Response) {
  const text = await answer.text()
  return /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text
}

/** Files a report through nginx and returns its id. */
async function reportByForm(who: Who, fields: Record<string, string>, photos: { bytes: Buffer }[] = []) {
  const made = await as(who, '/api/incidents', { method: 'POST', form: multipart(fields, photos) })
  expect(made.status).toBe(201)
  return made.body.id as number
}

async function open(): Promise<void> {
  building = await openBuilding(database())
  host = building.host
  cookies = building.cookies
}
