import { load } from 'cheerio'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { DAY, HOUR } from '../../src/vocabulary/time/calendar.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const files = [
  '/feed.atom',
  '/assets/1/feed.atom',
  '/calendar.ics',
  '/assets/1/calendar.ics',
  '/badge.svg',
  '/assets/1/badge.svg',
  '/api/v2/summary.json',
]

describe('files of the building and of an asset', () => {
  it.each(files)('%s is the same for everyone, and not sent twice', async (path) => {
    const first = await house.ask('guest', path)
    expect(first.status).toBe(200)
    const tag = first.headers.get('etag')!
    const body = await first.text()
    const signedIn = await house.ask('manager', path, { headers: { 'accept-language': 'es' } })
    expect(await signedIn.text()).toBe(body)
    const again = await house.ask('guest', path, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })
})

describe('the Atom feed', () => {
  it('is well formed, has what RFC 4287 asks for, and each id once', async () => {
    for (const path of ['/feed.atom', '/assets/1/feed.atom']) {
      wellFormed(await text(path))
      const xml = await feed(path)
      for (const name of ['id', 'title', 'updated', 'author > name', 'link[rel=self]'])
        expect(xml(`feed > ${name}`)).toHaveLength(1)
      const ids = xml('entry > id')
        .toArray()
        .map((each) => xml(each).text())
      expect(ids.length).toBeGreaterThan(3)
      expect(ids.length).toBeLessThanOrEqual(50)
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) expect(id).toMatch(/^tag:[\w.-]+,2026:/)
      const updated = xml('entry > updated')
        .toArray()
        .map((each) => xml(each).text())
      expect(updated).toEqual([...updated].sort().reverse())
      expect(xml('feed > updated').text()).toBe(updated[0])
    }
  })

  it('shows what anybody typed as text', async () => {
    const id = await house.report({ assetId: asset, title: hostile })
    wellFormed(await text('/feed.atom'))
    const xml = await feed()
    const entry = xml('entry').filter((_, each) => xml(each).find('id').text().endsWith(`:incident-${id}`))
    expect(entry.children('title').attr('type')).toBe('text')
    expect(entry.children('title').text()).toContain(hostile)
    expect(await text('/feed.atom')).not.toContain('<title type="html">')
  })

  it('tells new states and the words for the status page, and no comment, note or name', async () => {
    const id = await house.report({ assetId: asset, title: 'Doors stay open', isAnonymous: true })
    const act = (who: 'resident' | 'manager', json: object) =>
      house.ask(who, `/api/incidents/${id}/updates`, { json })
    expect((await act('resident', { body: 'A resident’s own words' })).status).toBe(201)
    expect((await act('manager', { body: 'For the person alone', onStatusPage: false })).status).toBe(201)
    const word = { body: 'The fitter comes at two', newStatus: 'acknowledged', onStatusPage: true }
    expect((await act('manager', word)).status).toBe(201)
    const xml = await feed(`/assets/${asset}/feed.atom`)
    const entry = xml('entry').first()
    expect(entry.find('id').text()).toMatch(new RegExp(`:incident-${id}$`))
    expect(entry.find('content').text()).toContain('The fitter comes at two')
    expect(entry.find('content').text()).toContain('Seen by the office')
    expect(xml.xml()).not.toMatch(/A resident’s own words|For the person alone/)
    const people = await query<{ name: string; email: string }>('select name, email from users')
    for (const { name, email } of people) {
      expect(entry.text()).not.toContain(name)
      expect(entry.text()).not.toContain(email)
    }
  })

  it('leaves out flats, duplicates and what nobody has put in its place', async () => {
    const rows = await query<{ id: number }>(
      'select id from incidents where asset_id is null or merged_into_id is not null',
    )
    expect(rows.length).toBeGreaterThan(1)
    const body = await text('/feed.atom')
    for (const { id } of rows) expect(body).not.toContain(`:incident-${id}<`)
  })
})

describe('the calendar', () => {
  it('keeps to the lines of RFC 5545', async () => {
    await plan({ title: hostile.repeat(3).slice(0, 150), ...weekly(3) })
    const body = await text('/calendar.ics')
    expect(body).not.toMatch(/[^\r]\n/)
    const lines = body.split('\r\n')
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    const { events, properties } = eventsOf(body)
    expect(properties).toMatchObject({ VERSION: '2.0', METHOD: 'PUBLISH' })
    expect(properties['REFRESH-INTERVAL;VALUE=DURATION']).toBe('PT1H')
    expect(events.some(({ SUMMARY }) => SUMMARY?.includes(hostile))).toBe(true)
    const uids = events.map(({ UID }) => UID)
    expect(new Set(uids).size).toBe(uids.length)
    for (const event of events)
      for (const name of ['UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SEQUENCE', 'STATUS'])
        expect(event[name]).toBeTruthy()
  })

  it('keeps the UID of a date that is moved or skipped, and raises SEQUENCE', async () => {
    const id = await plan(weekly(4))
    const dates = async () =>
      (await calendar(`/assets/${asset}/calendar.ics`)).events.filter(({ UID }) =>
        UID?.startsWith(`maintenance-${id}-`),
      )
    const before = await dates()
    expect(before.length).toBeGreaterThan(50)
    const on = (days: number, events: typeof before) =>
      events.find(({ UID }) => UID?.startsWith(`maintenance-${id}-${dayAfter(days)}@`))!
    const act = (verb: string, json: object) =>
      house.ask('manager', `/api/admin/maintenance/${id}/${verb}`, { method: 'POST', json })
    expect((await act('skip', { date: dayAfter(11) })).ok).toBe(true)
    const to = noon(19)
    expect((await act('move', { date: dayAfter(18), startsAt: iso(to), endsAt: iso(to + HOUR) })).ok).toBe(
      true,
    )
    const after = await dates()
    expect(after.length).toBe(before.length)
    expect(on(11, after)).toMatchObject({ STATUS: 'CANCELLED', DTSTART: on(11, before).DTSTART })
    expect(on(18, after)).toMatchObject({
      STATUS: 'CONFIRMED',
      DTSTART: iso(to).replace(/[-:]|\.000/g, ''),
    })
    expect(on(4, after).STATUS).toBe('CONFIRMED')
    expect(Number(on(18, after).SEQUENCE)).toBeGreaterThan(Number(on(18, before).SEQUENCE))
  })

  it('shows a deleted window as cancelled, under its UID, once', async () => {
    const at = noon(9)
    const id = await plan({ startsAt: iso(at), endsAt: iso(at + HOUR), recurrence: 'none' })
    const found = async () =>
      (await calendar()).events.filter(({ UID }) => UID?.startsWith(`maintenance-${id}@`))
    const [before] = await found()
    expect((await house.ask('manager', `/api/admin/maintenance/${id}`, { method: 'DELETE' })).status).toBe(
      204,
    )
    const after = await found()
    expect(after).toHaveLength(1)
    expect(after[0]).toMatchObject({
      STATUS: 'CANCELLED',
      DTSTART: before!.DTSTART,
      SUMMARY: before!.SUMMARY,
    })
    expect(Number(after[0]!.SEQUENCE)).toBeGreaterThan(Number(before!.SEQUENCE))
  })

  it('shows what was deleted and undeleted as it stands, and what was deleted twice once', async () => {
    const at = noon(9)
    const id = await plan({ startsAt: iso(at), endsAt: iso(at + HOUR), recurrence: 'none' })
    const statuses = async () =>
      (await calendar()).events
        .filter(({ UID }) => UID?.startsWith(`maintenance-${id}@`))
        .map(({ STATUS }) => STATUS)
    await house.ask('manager', `/api/admin/maintenance/${id}`, { method: 'DELETE' })
    await house.ask('manager', `/api/admin/maintenance/${id}/undelete`, { method: 'POST' })
    expect(await statuses()).toEqual(['CONFIRMED'])
    await house.ask('manager', `/api/admin/maintenance/${id}`, { method: 'DELETE' })
    expect(await statuses()).toEqual(['CANCELLED'])
  })

  it('keeps the hour of the wall over clock changes', async () => {
    const [{ timezone }] = (await query<{ timezone: string }>('select timezone from properties')) as [
      { timezone: string },
    ]
    const id = await plan(weekly(2))
    const { events } = await calendar()
    const hours = events
      .filter(({ UID }) => UID?.startsWith(`maintenance-${id}-`))
      .map(({ DTSTART }) => DTSTART!.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
    const wall = new Intl.DateTimeFormat('en', { timeZone: timezone, hour: 'numeric', hourCycle: 'h23' })
    expect(new Set(hours.map((at) => wall.format(new Date(at)))).size).toBe(1)
    expect(new Set(hours.map((at) => at.slice(11))).size).toBe(2)
  })
})

describe('the badge', () => {
  it.each(['/badge.svg', '/assets/1/badge.svg'])('%s is a picture that is read out', async (path) => {
    const answer = await house.ask('guest', path)
    expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const body = await answer.text()
    wellFormed(body)
    const svg = load(body, { xml: true })
    expect(svg('svg').attr('role')).toBe('img')
    for (const id of svg('svg').attr('aria-labelledby')!.split(' '))
      expect(svg(`#${id}`).text().length).toBeGreaterThan(4)
  })

  it('says what the status says, whatever an asset is called', async () => {
    const id = await house.lift(hostile)
    const badge = async () => load(await text(`/assets/${id}/badge.svg`), { xml: true })
    wellFormed(await text(`/assets/${id}/badge.svg`))
    expect((await badge())('title').text()).toContain(hostile)
    expect((await badge())('title').text()).toMatch(/: Working$/)
    await house.report({ assetId: id, title: 'Flickers' })
    expect((await badge())('title').text()).toMatch(/: Partly working$/)
  })
})

describe('the room of a name on the badge', () => {
  it.each([
    ['as wide as high, in Chinese, Japanese and Korean', '北塔左側升降機', 7 * 12],
    ['7 pixels a letter', 'North lift', 10 * 7],
    ['7 pixels a letter of half width', 'ﾘﾌﾄ', 3 * 7],
    ['7 pixels an Arabic letter, marks not counted', 'مِصعَد', 4 * 7],
    ['once for a letter and its marks', 'e\u0301levateur', 9 * 7],
    ['once for a picture of several parts', '👩🏽‍🔧', 15],
    ['none for what no one sees', 'Li\u200bft\u2066', 4 * 7],
  ])('is %s', async (_what, name, pixels) => {
    const id = await house.lift(name)
    const svg = load(await text(`/assets/${id}/badge.svg`), { xml: true })
    expect(Number(svg('text').first().attr('textLength'))).toBe(pixels)
  })
})

describe('GET /api/v2/summary.json', () => {
  let summary: Record<'components' | 'incidents' | 'scheduled_maintenances', Record<string, unknown>[]> &
    Record<'page' | 'status', Record<string, string>>
  beforeAll(async () => {
    summary = await house.json('guest', '/api/v2/summary.json')
  })

  it('has every asset as a component, in the state it has', async () => {
    const { assets } = await house.json('guest', '/api/status')
    const states: Record<string, string> = {
      operational: 'operational',
      maintenance: 'under_maintenance',
      degraded: 'degraded_performance',
      down: 'major_outage',
    }
    expect(summary.components.map(({ id, name, status }) => ({ id, name, status }))).toEqual(
      assets.map(({ id, name, status }: { id: number; name: string; status: string }) => ({
        id: String(id),
        name,
        status: states[status],
      })),
    )
  })

  it('says how it is in all, and what is wrong and planned with which component', () => {
    expect(summary.status.indicator).toBe('major')
    expect(summary.status.description!.length).toBeGreaterThan(5)
    expect(Date.parse(summary.page.updated_at!)).not.toBeNaN()
    expect(summary.incidents.length).toBeGreaterThan(0)
    const known = summary.components.map(({ id }) => id)
    for (const each of [...summary.incidents, ...summary.scheduled_maintenances]) {
      for (const { id } of each.components as { id: string }[]) expect(known).toContain(id)
      expect(Date.parse(each.started_at as string)).not.toBeNaN()
    }
    for (const { incident_updates } of summary.incidents)
      expect((incident_updates as { body: string }[]).every(({ body }) => body.length > 0)).toBe(true)
  })

  it('names a date of planned work as the calendar does, also where it was moved', async () => {
    const id = await plan(weekly(4))
    const to = noon(12)
    const before = Date.now()
    await house.ask('manager', `/api/admin/maintenance/${id}/move`, {
      json: { date: dayAfter(4), startsAt: iso(to), endsAt: iso(to + HOUR) },
    })
    const { page, scheduled_maintenances } = await house.json('guest', '/api/v2/summary.json')
    const works = (scheduled_maintenances as Record<string, string>[]).filter(({ id: name }) =>
      name!.startsWith(`maintenance-${id}-`),
    )
    const moved = works.find(({ scheduled_for }) => scheduled_for === iso(to))!
    expect(moved.id).toBe(`maintenance-${id}-${dayAfter(4)}`)
    expect(new Set(works.map(({ id }) => id)).size).toBe(works.length)
    const inCalendar = (await calendar()).events.map(({ UID }) => UID!.split('@')[0])
    for (const work of works) expect(inCalendar).toContain(work.id)
    expect(Date.parse(moved.updated_at!)).toBeGreaterThanOrEqual(before - 1_000)
    expect(Date.parse(page.updated_at)).toBeGreaterThanOrEqual(Date.parse(moved.updated_at!))
  })
})

/**
 * The properties of a calendar and of its events, unfolded and unescaped (RFC 5545 §3.1 and
 * §3.3.11).
 */
type PlannedFile = { properties: Properties; events: Properties[] }
type Properties = Record<string, string | undefined>

/** Reads a calendar; throws when its components do not nest. */
function eventsOf(body: string): PlannedFile {
  const lines = body.replaceAll('\r\n ', '').split('\r\n').filter(Boolean)
  const open: string[] = []
  const file: PlannedFile = { properties: {}, events: [] }
  for (const line of lines) {
    const at = line.indexOf(':')
    if (at < 1) throw new Error(`no property: ${line}`)
    const [name, value] = [line.slice(0, at), line.slice(at + 1)]
    if (name === 'BEGIN') {
      open.push(value)
      if (value === 'VEVENT') file.events.push({})
    } else if (name === 'END') {
      if (open.pop() !== value) throw new Error(`ends what is not open: ${value}`)
    } else {
      const into = open.at(-1) === 'VEVENT' ? file.events.at(-1)! : file.properties
      into[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
    }
  }
  if (open.length > 0 || lines[0] !== 'BEGIN:VCALENDAR') throw new Error('not a whole calendar')
  return file
}

const name = '[A-Za-z][\\w:.-]*'
const attribute = `\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`
const token = new RegExp(
  `<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|<\\?[\\s\\S]*?\\?>|<(/?)(${name})((?:${attribute})*)\\s*(/?)>|([^<]+)`,
  'y',
)

/** Throws unless the text is a well-formed XML document without a document type. */
function wellFormed(text: string): void {
  const open: string[] = []
  let roots = 0
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const found = token.exec(text)
    if (!found) throw new Error(`not XML: ${text.slice(at, at + 80)}`)
    const [, closes, tag, attributes = '', empty, characters] = found
    const plain = characters ?? attributes
    if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(plain)) throw new Error(`a bare &: ${plain}`)
    if (characters?.includes(']]>')) throw new Error(`a bare ]]>: ${characters}`)
    if (!tag) continue
    if (closes && open.pop() !== tag) throw new Error(`closes what is not open: ${tag}`)
    if (!closes && open.length === 0) roots += 1
    if (!closes && !empty) open.push(tag)
  }
  if (open.length > 0 || roots !== 1) throw new Error(`${roots} roots, and open: ${open.join(', ')}`)
}

const hostile = `Jammed & <b>"loud"</b> ]]> 'it' \\ ; , é😀`

const iso = (at: number) => new Date(at).toISOString()

const asset = 1

const text = async (path: string) => (await house.ask('guest', path)).text()

const feed = async (path = '/feed.atom') => load(await text(path), { xml: true })

const calendar = async (path = '/calendar.ics'): Promise<PlannedFile> => eventsOf(await text(path))

const plan = async (json: object): Promise<number> =>
  (await house.json('manager', '/api/admin/maintenance', { json: { assetId: asset, title: 'Oil', ...json } }))
    .id

/** A weekly hour at UTC noon, so that no clock change moves it to another day. */
const noon = (days: number) => Math.floor(Date.now() / DAY) * DAY + days * DAY + 12 * HOUR

const weekly = (days: number) => ({
  startsAt: iso(noon(days)),
  endsAt: iso(noon(days) + HOUR),
  recurrence: 'weekly',
})

const dayAfter = (days: number) => iso(noon(days)).slice(0, 10)
