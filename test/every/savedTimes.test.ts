import type { CheerioAPI } from 'cheerio'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { formatFor } from '../../src/platform/http/format/format.js'
import { useHouse } from '../support/house/house.js'
import { readEndpoints, writeEndpoints } from '../support/routes/endpoints.js'
import { perRun } from '../support/run/extent.js'

/**
 * Forms show a time without its seconds, and both passes of an hour that the
 * clock change repeats alike.
 */
const house = useHouse()
const browser = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
const [minute, day] = [60_000, 86_400_000]

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'] as const
describe.each(perRun({ quick: ['Europe/Berlin'], whole: zones }))('forms with times, in %s', (zone) => {
  let made: TimedRecords
  const forms: Form[] = []
  beforeAll(async () => {
    made = await makeRecords(zone)
    for (const path of pagesOf(made)) {
      const answer = await house.ask('admin', path, { headers: browser })
      if (!answer.headers.get('content-type')?.includes('html')) continue
      if (answer.status === 200) forms.push(...formsOf(path, await house.page('admin', path)))
    }
  }, 120_000)

  const send = (form: Form, fields: Record<string, string> = {}) =>
    house.ask('admin', form.action, { form: { ...form.fields, ...fields }, headers: browser })
  const saving = (page: RegExp, action: RegExp) =>
    forms.filter((form) => page.test(form.page) && action.test(form.action))

  it('are found on the pages of the product', () => {
    const names = new Set(forms.flatMap(({ times }) => times))
    for (const name of [
      'startsAt',
      'until',
      'downtimeStartedAt',
      'downtimeEndedAt',
      'expectedBackAt',
      'dueOn',
      'incurredOn',
    ])
      expect([...names]).toContain(name)
    expect(saving(/\/move\?/, /\/move$/).length).toBeGreaterThan(0)
  })

  it('change nothing when they are sent back as they are shown', async () => {
    const changed: string[] = []
    const before = await stored()
    for (const form of forms) {
      const answer = await send(form)
      expect(answer.status, `${form.page} ${form.action}`).toBeLessThan(500)
      const found = differences(before, await stored())
      if (found.length > 0) changed.push(`${form.page} ${form.action}`, ...found)
      if (found.length > 0) break
    }
    expect(changed).toEqual([])
  })

  it('change the title of planned work alone, and split no series', async () => {
    for (const id of made.windows) {
      const [form] = saving(new RegExp(`/admin/maintenance/${id}$`), new RegExp(`/${id}$`))
      const before = await house.json('admin', `/api/admin/maintenance/${id}`)
      const [count] = await query<{ count: number }>(
        'select count(*)::integer as count from maintenance_windows',
      )
      expect((await send(form!, { title: `Renamed ${id}` })).status).toBe(303)
      expect(await house.json('admin', `/api/admin/maintenance/${id}`)).toEqual({
        ...before,
        title: `Renamed ${id}`,
      })
      expect(await query('select count(*)::integer as count from maintenance_windows')).toEqual([count])
      const [entry] = await query<{ changes: object }>(
        'select changes from audit_entries order by id desc limit 1',
      )
      expect(Object.keys(entry!.changes)).toEqual(['title'])
    }
  })

  it('change the end of a moved date alone', async () => {
    const [form] = saving(/\/move\?/, /\/move$/)
    const read = () =>
      query<{ startsAt: Date; endsAt: Date }>(
        'select starts_at, ends_at from maintenance_exceptions where window_id = $1',
        [made.series],
      )
    const [before] = await read()
    const later = form!.fields.endsAt!.replace(/T.*/, 'T23:30')
    expect((await send(form!, { endsAt: later })).status).toBe(303)
    const [after] = await read()
    expect(after!.startsAt).toEqual(before!.startsAt)
    expect(after!.endsAt).not.toEqual(before!.endsAt)
  })

  it('change the title or the words of a report alone', async () => {
    for (const id of made.incidents) {
      const times = async () =>
        query(
          'select downtime_started_at, downtime_ended_at, expected_back_at, due_on from incidents where id = $1',
          [id],
        )
      const before = await times()
      const page = new RegExp(`/incidents/${id}$`)
      const [edit] = saving(page, /\/edit$/)
      expect((await send(edit!, { title: `Renamed ${id}` })).status).toBe(303)
      const [entry] = await query<{ changes: object }>(
        'select changes from audit_entries order by id desc limit 1',
      )
      expect(Object.keys(entry!.changes)).toEqual(['title'])
      // A closed report promises nothing: its form for an answer has no times.
      if (id !== made.incidents[0]) continue
      const again = formsOf(`/incidents/${id}`, await house.page('admin', `/incidents/${id}`))
      const fresh = again.find(({ action }) => action.endsWith('/updates'))
      expect((await send(fresh!, { body: 'No news' })).status).toBe(303)
      const noted = formsOf(`/incidents/${id}`, await house.page('admin', `/incidents/${id}`))
      const note = noted.find(({ action }) => action.endsWith('/updates'))
      expect((await send(note!, { body: 'For us', noteOnly: 'true' })).status).toBe(303)
      expect(await times()).toEqual(before)
    }
  })
})

it('every form of a record that reads an instant names the record whose times it shows', () => {
  type Inner = { innerType?: unknown; in?: unknown; out?: unknown; options?: unknown[] }
  const isInstant = (schema: unknown): boolean => {
    const { def, meta } = schema as { def: Inner; meta: () => { format?: string } | undefined }
    if (meta.call(schema)?.format === 'date-time') return true
    const inner = [def.innerType, def.in, def.out, ...(def.options ?? [])]
    return inner.some((each) => each !== undefined && isInstant(each))
  }
  const place = { zone: 'Europe/Berlin', currency: 'EUR', locale: 'en' }
  const shapesOf = (body: unknown): unknown[] => {
    if (typeof body === 'function') return shapesOf(body(place))
    const { shape, fields, form } = body as { shape?: object; fields?: unknown; form?: unknown }
    if (shape) return Object.values(shape)
    return [fields, form].flatMap((inner) => (inner === undefined ? [] : shapesOf(inner)))
  }
  const reading = writeEndpoints.filter(
    ({ method, path, route }) =>
      method === 'POST' &&
      !path.startsWith('/api') &&
      path.includes(':') &&
      route &&
      shapesOf(route.body).some(isInstant),
  )
  expect(reading.length).toBeGreaterThan(4)
  expect(reading.filter(({ route }) => route!.shownRecord === undefined).map(({ path }) => path)).toEqual([])
})

/**
 * The nearest instant before now (-1) or after it (1) of which another has the same
 * text in a form of the zone.
 */
function repeated(zone: string, direction: 1 | -1): number {
  const { localInput } = formatFor('en', zone)
  const shown = (at: number) => localInput(new Date(at).toISOString())
  const now = Math.floor(Date.now() / (10 * minute)) * 10 * minute
  for (let at = now + direction * 2 * day; Math.abs(at - now) < 400 * day; at += direction * 10 * minute)
    if ([30, 60].some((shift) => shown(at - shift * minute) === shown(at))) return at
  throw new Error(`${zone} repeats no hour`)
}

function isoTime(at: number): string {
  return new Date(at).toISOString()
}

/** The ids of the records; of the series, the date that was moved. */
type TimedRecords = { windows: number[]; series: number; date: string; incidents: number[] }

/** Records whose times have seconds and milliseconds, in and outside the repeated hour. */
async function makeRecords(zone: string): Promise<TimedRecords> {
  await house.json('admin', '/api/admin/property', { method: 'PATCH', json: { timezone: zone } })
  const [past, coming] = [repeated(zone, -1), repeated(zone, 1)]
  const now = Date.now()
  const window = async (start: number, recurrence: string) => {
    const times = { startsAt: isoTime(start + 30_123), endsAt: isoTime(start + 9 * minute + 15_987) }
    const json = { assetId: 2, title: `From ${start}`, ...times, recurrence }
    return (await house.json('admin', '/api/admin/maintenance', { json })).id as number
  }
  const windows = [
    await window(past, 'none'),
    await window(past, 'weekly'),
    await window(past, 'monthly'),
    await window(now - 8 * day, 'weekly'),
    await window(coming, 'none'),
    await window(coming, 'weekly'),
  ]
  const series = windows[5]!
  const [date] = await query<{ date: string }>(
    `select to_char(starts_at at time zone $2, 'YYYY-MM-DD') as date from maintenance_windows where id = $1`,
    [series, zone],
  )
  await house.json('admin', `/api/admin/maintenance/${series}/move`, {
    json: { date: date!.date, startsAt: isoTime(coming + 45_678), endsAt: isoTime(coming + 8 * minute + 1) },
  })
  const running = await house.report({ assetId: 3, title: 'Running', severity: 'critical' })
  const closed = await house.report({ assetId: 4, title: 'Closed', severity: 'critical' })
  await house.json('manager', `/api/incidents/${running}`, {
    method: 'PATCH',
    json: {
      isDowntime: true,
      downtimeStartedAt: isoTime(past + 30_123),
      expectedBackAt: isoTime(coming + 45_123),
    },
  })
  await house.json('manager', `/api/incidents/${running}/updates`, { json: { dueOn: '2031-01-31' } })
  await house.json('manager', `/api/incidents/${closed}/updates`, {
    json: { body: 'Done', newStatus: 'resolved' },
  })
  await house.json('manager', `/api/incidents/${closed}`, {
    method: 'PATCH',
    json: { downtimeStartedAt: isoTime(past + 30_123), downtimeEndedAt: isoTime(past + 9 * minute + 15_987) },
  })
  return { windows, series, date: date!.date, incidents: [running, closed] }
}

/** Every page of the product at these records. */
function pagesOf({ windows, series, date, incidents }: TimedRecords): string[] {
  function idsFor(path: string): number[] {
    if (path.includes('maintenance')) return windows
    return path.includes('incident') ? incidents : [1]
  }
  return readEndpoints
    .map(({ path }) => path)
    .filter((path) => !/^\/api|\{|\.|:token/.test(path))
    .flatMap((path) => {
      if (path.endsWith('/move')) return [`${path.replace(':id', String(series))}?date=${date}`]
      if (!path.includes(':')) return [path]
      return idsFor(path).map((id) => path.replace(/:\w+/, String(id)).replaceAll(/:\w+/g, '1'))
    })
}

type Form = { page: string; action: string; fields: Record<string, string>; times: string[] }

/**
 * The forms of a page that send times or dates, as a browser sends them: to their
 * action, and to each button's.
 */
function formsOf(page: string, $: CheerioAPI): Form[] {
  return $('form[method="post"]')
    .toArray()
    .flatMap((element) => {
      const form = $(element)
      const inputs = form
        .find('input[type="datetime-local"], input[type="date"], input[type="time"]')
        .toArray()
      const times = inputs.map((input) => $(input).attr('name')!)
      if (times.length === 0) return []
      const chosen = form.find('select:not([disabled])').toArray()
      const selects = chosen.map((select) => {
        const options = $(select).find('option')
        return [$(select).attr('name'), options.filter('[selected]').attr('value') ?? options.attr('value')]
      })
      const typed = form.serializeArray().map(({ name, value }) => [name, value])
      const fields = { ...Object.fromEntries(typed), ...Object.fromEntries(selects) }
      const buttons = form.find('[formaction]').toArray()
      const actions = [form.attr('action')!, ...buttons.map((button) => $(button).attr('formaction')!)]
      return actions.map((action) => ({ page, action, fields, times }))
    })
}

/** All that is stored of incidents, planned work and costs, and how often anything was changed. */
async function stored(): Promise<Record<string, string>> {
  const tables = [
    'incidents',
    'incident_updates',
    'asset_impacts',
    'maintenance_windows',
    'maintenance_exceptions',
    'repair_costs',
    'properties',
    'audit_entries',
  ]
  const rows = await Promise.all(
    tables.map((table) => query(`select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`)),
  )
  return Object.fromEntries(
    tables.map((table, i) => [table, rows[i]!.map((row) => JSON.stringify(row)).join('\n')]),
  )
}

/** The rows of `before` that are gone, and those that are new. */
function differences(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).flatMap((table) => {
    const [old, now] = [new Set(before[table]!.split('\n')), new Set(after[table]!.split('\n'))]
    const gone = [...old].filter((row) => !now.has(row)).map((row) => `- ${table} ${row}`)
    const added = [...now].filter((row) => !old.has(row)).map((row) => `+ ${table} ${row}`)
    return gone.concat(added)
  })
}
