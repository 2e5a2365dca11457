import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app/routes.js'
import { query } from '../../src/platform/db/database.js'
import { limits } from '../../src/vocabulary/limits.js'
import { heldEmail } from '../support/email/heldEmails.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { pastYear } from '../support/pastYear.js'
import { outsideWords } from '../support/routes/assertions/outsideWords.js'
import { type StrangeRequest, sendStrange } from '../support/routes/assertions/strangeReads.js'
import { readEndpoints } from '../support/routes/endpoints.js'
import { count, manyRows } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'
import { eachWithEach } from '../support/tables.js'

const house = useHouse()

let hook = 0

beforeAll(addRowsToLists)

describe('a list', () => {
  const all = () => [...lists, [`/admin/webhooks/${hook}/deliveries`, 'manager'] as [string, Who]]

  it('is in the list below, if its route says that it is paged', () => {
    // The two details are no lists: each leads to more of one, and has its own test. The last four
    // are whole but in a huge building.
    const known = [
      ...lists.map(([path]) => path.split('?')[0]!),
      '/admin/webhooks/:id/deliveries',
      '/assets/:id',
      '/incidents/:id',
      '/towers',
      '/units',
      '/contacts',
      '/history',
    ]
    const paged = routes
      .filter((each) => each.paged)
      .map(({ paths }) => paths.map((path) => path.replace(/^\/api/, '')))
    expect(paged.filter((paths) => !paths.some((path) => known.includes(path)))).toEqual([])
  })

  it('has all its rows on a page that is as long or longer, and then leads nowhere', async () => {
    for (const [path, who] of all()) {
      const rows = await house.json<unknown[]>(who, paged(`/api${path}`, limits.pageMax))
      expect(rows.length, path).toBeGreaterThan(1)
      expect(rows.length, path).toBeLessThan(limits.pageMax)
      const page = path === '/audit' || path.startsWith('/audit?') ? `/admin${path}` : path
      for (const address of [`/api${path}`, ...(rows.length <= limits.rowsOnPage ? [page] : [])]) {
        for (const limit of [rows.length, rows.length + 1]) {
          const whole = await house.ask(who, paged(address, limit))
          expect([address, whole.status, nextOf(whole)]).toEqual([address, 200, undefined])
          if (!address.startsWith('/api')) expect(await whole.text(), address).not.toContain('rel="next"')
        }
      }
    }
  })

  it('leads on from a page that is one row shorter to the last row, and no further', async () => {
    for (const [path, who] of all()) {
      const rows = await house.json<{ id: number }[]>(who, paged(`/api${path}`, limits.pageMax))
      const next = nextOf(await house.ask(who, paged(`/api${path}`, rows.length - 1)))
      expect(next, path).toBeDefined()
      const last = await house.ask(who, next!)
      expect([path, await last.json(), nextOf(last)]).toEqual([path, rows.slice(-1), undefined])
    }
  })

  it('refuses a start that is not of its usual order, and names the parameter', async () => {
    const start = `7.${Buffer.from('abc').toString('base64url')}`
    for (const path of ['/admin/towers', '/admin/contacts', '/admin/deliveries', '/incidents']) {
      const answer = await house.ask('manager', `/api${path}?after=${start}`)
      const { code, errors } = (await answer.json()) as { code: string; errors: object }
      expect([path, answer.status, code, Object.keys(errors)]).toEqual([path, 400, 'bad_query', ['after']])
    }
  })
})

it('the incidents of an asset lead to its list only where there are more than the page shows', async () => {
  const linkOf = async (id: number) => (await house.ask('guest', `/api/assets/${id}`)).headers.get('link')
  const id = await house.asset({ name: 'Much reported' })
  for (const count of [limits.assetIncidents - 1, 1]) {
    await house.manyReports(count, { asset_id: `${id}` })
    expect(await linkOf(id)).toBeNull()
  }
  expect((await house.page('guest', `/assets/${id}`))(`a[href="/incidents?assetId=${id}"]`)).toHaveLength(0)
  await house.manyReports(1, { asset_id: `${id}` })
  expect(await linkOf(id)).toBe(`</api/incidents?assetId=${id}>; rel="next"`)
})

/** Places of a list that a column of another type may choke on. */
const inPlace = [
  'abc',
  '\0',
  '',
  '99999999999',
  '1.5',
  '2026-13-45 00:00:00+00',
  '2026-02-30 00:00:00+00',
  '-infinity',
]
const afters = [
  ...inPlace.map((value) => `1.${Buffer.from(value).toString('base64url')}`),
  '9999999999.x',
  '0.x',
]

const reads = readEndpoints.map(({ path }) => path)

describe('the order of a list', () => {
  const sortable = reads.filter(
    (path) => /^\/api\/admin\/[a-z]+$/.test(path) && !/flags|jobs|property|start|year/.test(path),
  )
  /** The orders a list offers, as the links of its page name them. */
  async function ordersOf(list: string): Promise<string[]> {
    const page = await house.page('admin', list.replace('/api', ''))
    const links = page('a[href*="sort="]').toArray()
    const orders = links.map(
      (link) => new URL(page(link).attr('href')!, house.origin()).searchParams.get('sort')!,
    )
    return [...new Set(orders.map((order) => order.replace(/^-/, '')))]
  }

  it('is one of ours, and goes on at a place of its own type', async () => {
    expect(sortable.length).toBeGreaterThan(6)
    let orders = 0
    const foreign = perRun({
      quick: { everyValue: true },
      whole: eachWithEach(
        sortable,
        outsideWords.flatMap((word) => [word, `-${word}`]),
      ),
    })
    const refused = await sendStrange(
      house,
      'admin',
      perRun({ quick: { every: 5 }, whole: foreign }).map(
        ([list, sort]): StrangeRequest => [`${list}?sort=${sort}`],
      ),
    )
    expect(new Set(refused)).toEqual(new Set([400]))
    for (const list of sortable)
      for (const sort of (await ordersOf(list)).flatMap((name) => [name, `-${name}`])) {
        orders++
        await sendStrange(
          house,
          'admin',
          perRun({ quick: { every: afters.length, from: orders % afters.length }, whole: afters }).map(
            (after): StrangeRequest => [`${list}?sort=${sort}&after=${encodeURIComponent(after)}`],
          ),
        )
        const page = await house.ask('admin', `${list}?sort=${sort}&limit=1`)
        expect(page.status, sort).toBe(200)
        const more = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1]
        if (more) expect((await house.ask('admin', more)).status, more).toBe(200)
      }
    expect(orders).toBeGreaterThan(15)
  })
})

describe('a filter that is wrong', () => {
  it.each(['/incidents', '/admin/assets', '/admin/audit'])(
    'on the page %s is named in plain words, with a link to the list',
    async (path) => {
      for (const asked of ['limit=zz', 'before=2&before=2', 'before[]=2']) {
        const answer = await house.ask('admin', `${path}?${asked}`, { headers: { accept: 'text/html' } })
        expect(answer.status).toBe(400)
        const page = await house.page('admin', `${path}?${asked}`)
        expect(page('main').text()).toContain('Choose the filters again')
        expect(page('main').text()).not.toMatch(/parameter|limit|before|brackets/)
        expect(page(`main a.button[href="${path}"]`).text()).toBe('Show the whole list')
      }
      expect((await house.ask('admin', path, { headers: { accept: 'text/html' } })).status).toBe(200)
    },
  )
})

const readers = perRun<Who[]>({
  quick: ['guest', 'manager'],
  whole: ['guest', 'mobile', 'resident', 'manager'],
})

/** Bytes of JSON that a page may have. */
const mostBytes = 500_000
/**
 * 10,000 characters that JSON writes with six bytes each: the largest row there
 * can be is about as large.
 */
const longest = '\u0001'.repeat(10_000)
const texts = { plain: 'x'.repeat(10_000), wide: '\u{1F6D7}'.repeat(10_000), escaped: longest }

type Page = { ids: number[]; size: number; next: string | null }

async function page(who: Who, path: string): Promise<Page> {
  const answer = await house.ask(who, path)
  expect(answer.status).toBe(200)
  const text = await answer.text()
  const ids = JSON.parse(text).map(({ id }: { id: number }) => id)
  return { ids, size: Buffer.byteLength(text), next: nextOf(answer) ?? null }
}

describe.each(perRun({ quick: Object.entries(texts).slice(-1), whole: Object.entries(texts) }))(
  'a list of the longest reports, %s',
  (_kind, description) => {
    beforeAll(() => longReports(60, description))

    it.each(readers)('ends early for %s, and its pages hold every incident once, in order', async (who) => {
      const ids: number[] = []
      let path: string | null = '/api/incidents?limit=500&assetId=3'
      let cut = 0
      while (path) {
        const read: Page = await page(who, path)
        expect(read.size).toBeLessThanOrEqual(mostBytes)
        expect(read.ids.length).toBeGreaterThan(0)
        if (read.next && read.ids.length < 500) cut += 1
        ids.push(...read.ids)
        path = read.next
      }
      const all = await query<{ id: number }>(
        'select id from incidents where asset_id = 3 and merged_into_id is null order by id desc',
      )
      expect(ids).toEqual(all.map(({ id }) => id))
      expect(cut).toBeGreaterThan(0)
    })

    it('goes on for a page, too, and for one’s own reports', async () => {
      const $ = await house.page('guest', '/incidents?limit=500&assetId=3')
      const next = $('a[rel=next]').attr('href')!
      const older = await house.page('guest', next)
      expect(older('.incidents li').length).toBeGreaterThan(0)
      const mine = await house.ask('resident', '/api/my-reports?limit=500')
      expect(mine.headers.get('link')).toMatch(/before=\d+/)
      expect(Buffer.byteLength(await mine.text())).toBeLessThanOrEqual(mostBytes)
      const minePage = await house.page('resident', '/my-reports?limit=500')
      expect(minePage.html()).toMatch(/before=\d+/)
    })
  },
)

it('a page holds as many as it was asked for when they are short, and says whether more follow', async () => {
  const many = await count('incidents where asset_id = 1 and merged_into_id is null')
  expect(many).toBeGreaterThan(2)
  const all = await page('guest', `/api/incidents?assetId=1&limit=${many}`)
  expect([all.ids.length, all.next]).toEqual([many, null])
  const fewer = await page('guest', `/api/incidents?assetId=1&limit=${many - 1}`)
  expect(fewer.ids).toEqual(all.ids.slice(0, -1))
  expect(await page('guest', fewer.next!)).toMatchObject({ ids: all.ids.slice(-1), next: null })
  expect(await page('guest', '/api/incidents?assetId=1&before=1')).toMatchObject({ ids: [], next: null })
})

/** Answers that are whole on purpose, however long they are, and why. */
const wholeOnPurpose: Record<string, string> = {
  '/api/status': 'the specification promises every asset with its 90 days',
  '/': 'the same as a page',
  '/live': 'the same, for a page that is open',
  '/api/export/incidents.csv': 'a file with every match (decision 2.11)',
  '/api/export/audit.csv': 'the same',
  '/admin/assets/posters': 'sheets to print, by tower',
}

describe('a huge building', () => {
  const many = 1_000
  beforeAll(async () => {
    // A report on a year shows the year before as well.
    await pastYear()
    await fillBuilding(many)
  })

  it('has no list above 500 KB, as JSON and as a page, and each says how to get the rest', {
    timeout: 240_000,
  }, async () => {
    const addresses = readEndpoints
      .map(({ path, route }) => ({ path: path.replace('/webhooks/:id/', `/webhooks/${hook}/`), route }))
      .filter(({ path }) => !path.includes(':') && !path.includes('*'))
    const tooLong: string[] = []
    const endless: string[] = []
    for (const { path, route } of addresses) {
      const answer = await house.ask('admin', path.includes('?') ? path : `${path}?limit=1000`)
      const text = answer.status < 300 ? await answer.text() : await (await house.ask('admin', path)).text()
      if (Buffer.byteLength(text) > mostBytes && !(path in wholeOnPurpose))
        tooLong.push(`${path} ${Buffer.byteLength(text)}`)
      const isFull = Buffer.byteLength(text) > limits.listBytes * 0.9
      if (route?.paged && isFull && !nextOf(answer))
        endless.push(`${path} ${answer.status} ${Buffer.byteLength(text)}`)
    }
    expect(tooLong.join('\n')).toBe('')
    expect(endless.join('\n')).toBe('')
  })
})

function nextOf(answer: Response): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
}

function paged(path: string, limit: number): string {
  return `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`
}

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
  ['/admin/held-emails', 'manager'],
  ['/admin/deliveries', 'manager'],
  ['/admin/templates', 'manager'],
]

/** More than one row for the lists that are short in the demo building. */
async function addRowsToLists(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    hook = await house.subscription({ url: `https://93.184.216.34/hook${i}`, events: [], active: false })
    await heldEmail({ text: `Email ${i}` })
  }
  await manyRows('webhook_deliveries', 3, { ...deliveryColumns(), body: `'{}'`, status: `'200'` })
  await manyRows('outbox', 3, failedEmailColumns)
  const open = await house.json<{ id: number }[]>('guest', '/api/incidents?limit=5')
  for (const { id } of open) await house.maya.follows(id)
}

function deliveryColumns(): Record<string, string> {
  return {
    subscription_id: `${hook}`,
    event_id: 'gen_random_uuid()',
    event: `'incident.created'`,
    claimed_at: 'now()',
    finished_at: 'now()',
  }
}

const failedEmailColumns = {
  kind: `'mail'`,
  event: `'digest'`,
  recipient_id: '(select min(id) from users)',
  payload: `'{}'::jsonb`,
  failed_at: 'now()',
  last_error: `'refused'`,
}

/** Reports of Maya on the third asset, with one description. */
async function longReports(count: number, description: string): Promise<void> {
  await house.manyReports(count, {
    title: `'Long ' || n`,
    description: `'${description}'`,
    reporter_id: `(select id from users where email = 'resident@example.com')`,
  })
}

/** So many of all that a building has, each with a long text. */
async function fillBuilding(many: number): Promise<void> {
  const words = `repeat('x', 2000)`
  const name = `'Huge ' || n`
  await manyRows('towers', 50, { name: `'Tower of many ' || n` })
  await manyRows('assets', many, { tower_id: '1', name, category: `'Light'`, description: words })
  await manyRows('units', 5_000, { tower_id: '1', number: `'H' || n`, floor: '1' })
  const email = `'huge' || n || '@outside.test'`
  await manyRows('users', many, { name, email, role: `'resident'` })
  await manyRows('contacts', many, { name, label: `'Company'`, notes: words, sort_order: '100 + n' })
  await manyRows('maintenance_windows', many, {
    asset_id: '1',
    title: name,
    starts_at: `now() - interval '3 hours'`,
    ends_at: `now() - interval '2 hours'`,
    notes: words,
  })
  await manyRows('audit_entries', many, {
    actor_type: `'system'`,
    actor_name: `'S'`,
    action: `'user.updated'`,
    entity: `'user'`,
    via: `'cli'`,
    affects_status: 'false',
    changes: `jsonb_build_object('name', jsonb_build_object('before', ${words}, 'after', n))`,
  })
  const body = `jsonb_build_object('words', ${words})::text`
  await manyRows('webhook_deliveries', many, { ...deliveryColumns(), body, status: `'500'` })
  await manyRows('outbox', many, failedEmailColumns)
  await manyRows('held_emails', 900, {
    received_at: 'now()',
    domain: `'huge.example'`,
    reason: `'total'`,
    title: name,
    description: words,
    skipped: `'{"refused":[],"later":[]}'`,
  })
  await manyRows('reply_templates', many, { name, words_en: words, words_es: words })
  await longReports(many, 'x'.repeat(2_000))
}
