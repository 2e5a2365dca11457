import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { limits } from '../../../src/vocabulary/limits.js'
import { asOwner } from '../../support/database.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { multipart, picture } from '../../support/pictures.js'
import { itInWholeRun } from '../../support/run/extent.js'

const house = useHouse()
const { office } = house

describe('a survivor', () => {
  let survivor: number
  let duplicate: number
  let hidden: number
  const mergedEntry = (id: number) => expect.stringContaining(`INC-${id}`)

  beforeAll(async () => {
    survivor = await reportWithPhoto('resident')
    duplicate = await reportWithPhoto('board', { title: 'It rattles, too', description: 'Since Monday' })
    await comment('resident', survivor, 'first')
    await office.acknowledges(duplicate, 'second')
    hidden = await reportWithPhoto('resident', { title: 'Without a name', isAnonymous: 'true' })
    await comment('resident', hidden, 'third')
    await office.notes(duplicate, 'Of the duplicate')
    await merge(duplicate, survivor)
    await merge(hidden, survivor)
  })

  it('shows the comments of its duplicates in order of time, marked, and their status as theirs', async () => {
    const { updates } = await detail(survivor)
    expect(marksOf({ updates })).toEqual([
      'first',
      `${duplicate}: second`,
      `${hidden}: third`,
      mergedEntry(duplicate),
      mergedEntry(hidden),
    ])
    expect(updates[1]).toMatchObject({ newStatus: null, statusThere: 'acknowledged', authorRole: 'manager' })
    expect(Object.keys(updates[0])).toEqual(['id', 'authorName', 'body', 'newStatus', 'createdAt'])
  })

  it('shows their photos', async () => {
    const { photos } = await detail(survivor)
    expect(photos.map(({ fromIncidentId }: Marked) => fromIncidentId)).toEqual([undefined, duplicate, hidden])
    expect(Object.keys(photos[0])).toEqual(['id', 'path', 'createdAt'])
  })

  it('lists them with what they said', async () => {
    expect((await detail(survivor)).duplicates).toEqual([
      {
        id: duplicate,
        title: 'It rattles, too',
        createdAt: expect.any(String),
        description: 'Since Monday',
        reporterName: expect.any(String),
        source: 'web',
      },
      expect.objectContaining({ id: hidden, reporterName: 'Anonymous resident' }),
    ])
    expect((await detail(hidden)).mergedInto).toBe(survivor)
  })

  it('names a reporter who hid only to staff', async () => {
    const [name] = await query<{ name: string }>(
      `select name from users where email = 'resident@example.com'`,
    )
    const seen = async (who: Who) => {
      const { duplicates, updates } = await detail(survivor, who)
      return [duplicates[1].reporterName, updates[2].authorName]
    }
    for (const who of ['guest', 'board', 'resident', 'mobile'] as const)
      expect(await seen(who)).toEqual(Array(2).fill(who === 'board' ? name!.name : 'Anonymous resident'))
  })

  it.each(['guest', 'resident', 'manager'] as const)('shows %s all of it once on its page', async (who) => {
    const page = await house.page(who, `/incidents/${survivor}`)
    const lines = page('.timeline li')
      .toArray()
      .map((line) => page(line).text())
    expect(lines).toHaveLength(who === 'manager' ? 8 : 7)
    for (const words of ['first', 'second', 'third', 'Since Monday', 'It rattles, too'])
      expect(lines.filter((line) => line.includes(words))).toHaveLength(1)
    expect(lines.filter((line) => line.includes(`from INC-${duplicate}`))).toHaveLength(
      who === 'manager' ? 3 : 2,
    )
    expect(page('.photos img')).toHaveLength(3)
    expect(new Set(page('.photos img').map((_i, img) => page(img).attr('src'))).size).toBe(3)
  })

  it('shows staff the notes of its duplicates', async () => {
    const notes = await house.json('manager', `/api/incidents/${survivor}/notes`)
    expect(notes).toMatchObject([{ body: 'Of the duplicate', fromIncidentId: duplicate }])
    expect((await house.page('manager', `/incidents/${survivor}`))('.note').text()).toContain(
      `from INC-${duplicate}`,
    )
  })

  it('that was never merged into has an empty list', async () => {
    const alone = await reportWithPhoto('resident')
    const { duplicates, updates } = await detail(alone)
    expect([duplicates, updates]).toEqual([[], []])
  })

  it('keeps its newest status as its last own update says', async () => {
    const [open, other] = [await reportWithPhoto('resident'), await reportWithPhoto('resident')]
    await office.resolves(other)
    await merge(other, open)
    const { status, updates } = await detail(open)
    expect(status).toBe('open')
    expect(updates.map(({ newStatus }: Marked) => newStatus)).toEqual([null, null])
  })
})

describe('a survivor of a hundred duplicates with more than a page holds', () => {
  const each = 30
  let survivor: number

  beforeAll(async () => {
    survivor = await reportWithPhoto('resident')
    await comment('resident', survivor, 'own')
    const at = `now() + n * interval '1 s'`
    const reporter = `(select reporter_id from incidents where id = ${survivor})`
    const closed = { acknowledged_at: at, resolved_at: at, verified_at: at, merged_into_id: `${survivor}` }
    const columns = { status: `'verified'`, asset_id: '1', reporter_id: reporter, created_at: at }
    // On a busy machine this takes longer than a statement of the application may.
    const ids = await house.manyReports(100, { ...columns, ...closed }, house.url())
    const incidents = `incidents i where i.id in (${ids})`
    await asOwner(
      `insert into incident_updates (incident_id, body, author_label, created_at)
       select u.id, u.id || '-' || u.n, 'System', u.created_at + u.n * interval '1 ms'
       from (select i.id, i.created_at, generate_series(1, ${each}) as n from ${incidents}) u;
       insert into photos (incident_id, path, width, height, bytes, created_at)
       select i.id, format('aa/bb/%s', md5(i.id::text)), 1, 1, 1, i.created_at from ${incidents}`,
      house.url(),
    )
  })

  async function everyPage(who: Who) {
    const pages: { updates: Marked[]; photos: unknown[]; duplicates: { id: number }[] }[] = []
    for (let path: string | undefined = `/api/incidents/${survivor}`; path && pages.length < 30; ) {
      const answer = await house.ask(who, path)
      pages.push((await answer.json()) as (typeof pages)[number])
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    return pages
  }

  it('shows each comment, photo and report exactly once, on pages that can be opened', async () => {
    const pages = await everyPage('guest')
    expect(pages.length).toBeGreaterThan(2)
    const bodies = pages.flatMap(({ updates }) => updates.map(({ body }) => body))
    expect(bodies).toHaveLength(100 * each + 1)
    expect(new Set(bodies).size).toBe(bodies.length)
    expect(bodies).toContain('own')
    expect(pages[0]!.updates.length).toBeLessThanOrEqual(limits.timelineEntries + 2)
    expect(pages.flatMap(({ photos }) => photos)).toHaveLength(101)
    expect(new Set(pages.flatMap(({ duplicates }) => duplicates.map(({ id }) => id))).size).toBe(100)
  })

  it('leads from page to page and back', async () => {
    const page = await house.page('guest', `/incidents/${survivor}?updates=all`)
    const older = page('.timeline').parent().find('a[rel=next]').attr('href')!
    const next = await house.page('guest', older)
    expect(next('.timeline li').length).toBeGreaterThan(200)
    expect(next(`a[href="/incidents/${survivor}"]`).length).toBe(1)
  })

  itInWholeRun('is cut by bytes, too', async () => {
    await query(
      `update incident_updates set body = repeat('x', 5000) || body
       where incident_id in (select id from incidents where merged_into_id = $1)`,
      [survivor],
    )
    const [first] = await everyPage('guest')
    const size = JSON.stringify(first).length
    expect(size).toBeGreaterThan(0.5 * limits.timelineBytes)
    expect(size).toBeLessThan(500_000)
  })

  it.each(['yesterday', '2026-13-01T00:00:00Z', '1'])('refuses %s as an instant', async (before) => {
    expect((await house.ask('guest', `/api/incidents/${survivor}?before=${before}`)).status).toBe(400)
  })
})

/** A report with a photo; returns its id. */
async function reportWithPhoto(who: Who, fields: Record<string, string> = {}): Promise<number> {
  const all = { assetId: '1', title: 'Rattles', severity: 'medium', ...fields }
  const body = multipart(all, [{ bytes: await picture() }])
  return (await house.json(who, '/api/incidents', { body })).id
}

function comment(who: Who, id: number, body: string, newStatus?: string) {
  return house.json(who, `/api/incidents/${id}/updates`, { json: { body, newStatus } })
}

function merge(id: number, targetId: number) {
  return office.json(`/api/incidents/${id}/merge`, { json: { targetId } })
}

function detail(id: number, who: Who = 'guest') {
  return house.json(who, `/api/incidents/${id}`)
}

type Marked = { body: string; fromIncidentId?: number; newStatus: string | null; statusThere?: string }

/** The words of a timeline; before those of a duplicate, its number. */
function marksOf({ updates }: { updates: Marked[] }): string[] {
  return updates.map(({ body, fromIncidentId }) => (fromIncidentId ? `${fromIncidentId}: ${body}` : body))
}
