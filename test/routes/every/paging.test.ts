import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/database.js'
import { limits } from '../../../src/domain/system/limits.js'
import { routes } from '../../../src/routes/index.js'
import { useApp, type Who } from '../../support/app.js'
import { heldMail } from '../../support/mail/heldMails.js'

const app = useApp()

/** Every list that is paged: its address, and who reads it. */
const lists: [string, Who][] = [
  ['/incidents', 'guest'],
  ['/incidents?status=verified', 'manager'],
  ['/my-reports', 'resident'],
  ['/audit', 'admin'],
  ['/audit?action=user.created', 'admin'],
  ['/admin/assets', 'manager'],
  ['/admin/units', 'manager'],
  ['/admin/assets?sort=name', 'manager'],
  ['/admin/users', 'admin'],
  ['/admin/contacts', 'manager'],
  ['/admin/maintenance', 'manager'],
  ['/admin/towers', 'manager'],
  ['/admin/webhooks', 'manager'],
  ['/admin/mails', 'manager'],
  ['/admin/deliveries', 'manager'],
  ['/admin/templates', 'manager'],
]

let hook = 0

beforeAll(async () => {
  for (let i = 0; i < 3; i++) {
    const json = { url: `https://93.184.216.34/hook${i}`, events: [], active: false }
    hook = (await app.json('manager', '/api/admin/webhooks', { json })).id
    await heldMail({ text: `Mail ${i}` })
  }
  await query(
    `insert into webhook_deliveries (subscription_id, event_id, event, body, claimed_at, finished_at, status)
     select $1, gen_random_uuid(), 'incident.created', '{}', now(), now(), '200' from generate_series(1, 3)`,
    [hook],
  )
  await query(
    `insert into outbox (kind, event, recipient_id, payload, failed_at, last_error)
     select 'mail', 'digest', min(u.id), '{}', now(), 'refused' from users u, generate_series(1, 3) n group by n`,
  )
  await query(
    `insert into followers (incident_id, user_id)
     select i.id, u.id from incidents i, users u where u.email = 'resident@example.com' and i.merged_into_id is null
     order by i.id limit 5 on conflict do nothing`,
  )
})

const nextOf = (answer: Response) => /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
const paged = (path: string, limit: number) => `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`

describe('a list', () => {
  const all = () => [...lists, [`/admin/webhooks/${hook}/deliveries`, 'manager'] as [string, Who]]

  it('is in the list above, if its route says that it is paged', () => {
    // The two details are no lists: each leads to more of one, and has its own test.
    const known = [
      ...lists.map(([path]) => path.split('?')[0]!),
      '/admin/webhooks/:id/deliveries',
      '/assets/:id',
      '/incidents/:id',
    ]
    const paged = routes
      .filter((each) => each.paged)
      .map(({ paths }) => paths.map((path) => path.replace(/^\/api/, '')))
    expect(paged.filter((paths) => !paths.some((path) => known.includes(path)))).toEqual([])
  })

  it('has all its rows on a page that is as long or longer, and then leads nowhere', async () => {
    for (const [path, who] of all()) {
      const rows = await app.json<unknown[]>(who, paged(`/api${path}`, limits.pageMax))
      expect(rows.length, path).toBeGreaterThan(1)
      expect(rows.length, path).toBeLessThan(limits.pageMax)
      for (const address of [
        `/api${path}`,
        path === '/audit' || path.startsWith('/audit?') ? `/admin${path}` : path,
      ]) {
        for (const limit of [rows.length, rows.length + 1]) {
          const whole = await app.ask(who, paged(address, limit))
          expect([address, whole.status, nextOf(whole)]).toEqual([address, 200, undefined])
          if (!address.startsWith('/api')) expect(await whole.text(), address).not.toContain('rel="next"')
        }
      }
    }
  })

  it('leads on from a page that is one row shorter to the last row, and no further', async () => {
    for (const [path, who] of all()) {
      const rows = await app.json<{ id: number }[]>(who, paged(`/api${path}`, limits.pageMax))
      const next = nextOf(await app.ask(who, paged(`/api${path}`, rows.length - 1)))
      expect(next, path).toBeDefined()
      const last = await app.ask(who, next!)
      expect([path, await last.json(), nextOf(last)]).toEqual([path, rows.slice(-1), undefined])
    }
  })
})

describe('the incidents of an asset', () => {
  it('lead to its list only where there are more than the page shows', async () => {
    const linkOf = async (id: number) => (await app.ask('guest', `/api/assets/${id}`)).headers.get('link')
    const { id } = await app.json('manager', '/api/admin/assets', {
      json: { name: 'Much reported', category: 'other', towerId: 1 },
    })
    const report = (count: number) =>
      query(
        `insert into incidents (title, description, severity, source, asset_id, reporter_label)
         select 'Many', '', 'low', 'email', $1, 'Somebody' from generate_series(1, $2::integer)`,
        [id, count],
      )
    for (const count of [limits.assetIncidents - 1, 1]) {
      await report(count)
      expect(await linkOf(id)).toBeNull()
    }
    expect((await app.page('guest', `/assets/${id}`))(`a[href="/incidents?assetId=${id}"]`)).toHaveLength(0)
    await report(1)
    expect(await linkOf(id)).toBe(`</api/incidents?assetId=${id}>; rel="next"`)
  })
})
