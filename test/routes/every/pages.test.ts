import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/database.js'
import { limits } from '../../../src/domain/system/limits.js'
import { useApp, type Who } from '../../support/app.js'

const app = useApp()

/** What a page may hold besides the row that takes it past its bytes. */
const bytes: [Who, number][] = [
  ['guest', limits.pageBytes],
  ['mobile', limits.pageBytes],
  ['resident', limits.pageBytes],
  ['manager', limits.pageBytesStaff],
]
/** 10,000 characters that JSON writes with six bytes each: the largest row there can be is about as large. */
const longest = '\u0001'.repeat(10_000)
const texts = { plain: 'x'.repeat(10_000), wide: '\u{1F6D7}'.repeat(10_000), escaped: longest }

async function fill(description: string, count: number): Promise<void> {
  await query(
    `insert into incidents (title, description, severity, source, asset_id, reporter_id)
     select 'Long ' || n, $1, 'low', 'web', 3, (select id from users where email = 'resident@example.com')
     from generate_series(1, $2::integer) n`,
    [description, count],
  )
}

type Page = { ids: number[]; size: number; next: string | null }

async function page(who: Who, path: string): Promise<Page> {
  const answer = await app.ask(who, path)
  expect(answer.status).toBe(200)
  const text = await answer.text()
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
  return { ids: JSON.parse(text).map(({ id }: { id: number }) => id), size: Buffer.byteLength(text), next }
}

describe.each(Object.entries(texts))('a list of the longest reports, %s', (kind, description) => {
  beforeAll(() => fill(description, 60))
  afterAll(() => query(`delete from incidents where title like 'Long %'`))

  it.each(bytes)('ends early for %s, and its pages hold every incident once, in order', async (who, most) => {
    const ids: number[] = []
    let path: string | null = '/api/incidents?limit=500&assetId=3'
    let cut = 0
    while (path) {
      const read: Page = await page(who, path)
      expect(read.size).toBeLessThan(most + Buffer.byteLength(JSON.stringify(description)) + 2_000)
      expect(read.ids.length).toBeGreaterThan(0)
      if (read.next && read.ids.length < 500) cut += 1
      ids.push(...read.ids)
      path = read.next
    }
    const all = await query<{ id: number }>(
      'select id from incidents where asset_id = 3 and merged_into_id is null order by id desc',
    )
    expect(ids).toEqual(all.map(({ id }) => id))
    if (kind !== 'plain' || most === limits.pageBytes) expect(cut).toBeGreaterThan(0)
  })

  it('goes on for a page, too, and for one’s own reports', async () => {
    const $ = await app.page('guest', '/incidents?limit=500&assetId=3')
    const next = $('a[rel=next]').attr('href')!
    const older = await app.page('guest', next)
    expect(older('.incidents li').length).toBeGreaterThan(0)
    const mine = await app.ask('resident', '/api/my-reports?limit=500')
    expect(mine.headers.get('link')).toMatch(/before=\d+/)
    expect(Buffer.byteLength(await mine.text())).toBeLessThan(limits.pageBytes + 62_000)
    const minePage = await app.page('resident', '/my-reports?limit=500')
    expect(minePage.html()).toMatch(/before=\d+/)
  })
})

describe('a page', () => {
  it('holds as many as it was asked for when they are short, and says whether more follow', async () => {
    const [{ count }] = (await query<{ count: number }>(
      'select count(*)::integer as count from incidents where asset_id = 1 and merged_into_id is null',
    )) as [{ count: number }]
    expect(count).toBeGreaterThan(2)
    const all = await page('guest', `/api/incidents?assetId=1&limit=${count}`)
    expect([all.ids.length, all.next]).toEqual([count, null])
    const fewer = await page('guest', `/api/incidents?assetId=1&limit=${count - 1}`)
    expect(fewer.ids).toEqual(all.ids.slice(0, -1))
    expect(await page('guest', fewer.next!)).toMatchObject({ ids: all.ids.slice(-1), next: null })
    expect(await page('guest', '/api/incidents?assetId=1&before=1')).toMatchObject({ ids: [], next: null })
  })
})
