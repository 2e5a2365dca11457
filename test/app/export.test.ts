import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv/sync'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { csvFile, openCsvFiles } from '../../src/platform/db/csvFile.js'
import { query } from '../../src/platform/db/database.js'
import { asOwner } from '../support/database.js'
import { useHouse } from '../support/house/house.js'
import { impactsByFields } from '../support/impacts.js'
import { column, scalar } from '../support/rows.js'

const house = useHouse()
const { office } = house
const address = '/api/export/incidents.csv'
const columns = [
  'id',
  'title',
  'description',
  'severity',
  'status',
  'isDowntime',
  'assetId',
  'assetName',
  'unitId',
  'unitName',
  'reporterName',
  'slaBreached',
  'source',
  'createdAt',
  'resolvedAt',
  'acknowledgedAt',
  'verifiedAt',
  'hoursToAcknowledge',
  'downtimeHours',
  'costCents',
  'mergedIntoId',
  'reporterEmail',
]

type Line = Record<string, string>

const read = (csv: string): Line[] =>
  parse(csv, { columns: true, bom: true, record_delimiter: '\r\n' }) as Line[]

async function text(search = ''): Promise<string> {
  const answer = await house.ask('manager', address + search)
  expect(answer.status).toBe(200)
  // Not answer.text(), which would take the byte order mark away.
  return Buffer.from(await answer.arrayBuffer()).toString()
}

/** The list as JSON, all its pages, every value as a cell of a file would show it. */
async function listed(filter: string): Promise<Line[]> {
  const rows: Record<string, unknown>[] = []
  let path: string | null = `/api/incidents?limit=50&${filter}`
  while (path) {
    const answer: Response = await house.ask('manager', path)
    rows.push(...((await answer.json()) as Record<string, unknown>[]))
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
  }
  // The file has no column for a hidden name, and the one of the survivor among others.
  return rows.map(({ nameHidden, mergedIntoId, ...row }) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
  )
}

/** A flat of its own, so that an export can be asked for exactly what a test put there. */
async function flat(number: string): Promise<number> {
  return scalar<number>(
    'insert into units (tower_id, number, floor) select min(id), $1, 1 from towers returning id',
    [number],
  )
}

async function report(unitId: number, texts: { title: string; description: string }[]): Promise<void> {
  await query(
    `insert into incidents (title, description, severity, source, unit_id, reporter_label)
     select title, description, 'low', 'email', $1, 'Somebody'
     from unnest($2::text[], $3::text[]) with ordinality as given (title, description, place) order by place`,
    [unitId, texts.map(({ title }) => title), texts.map(({ description }) => description)],
  )
}

beforeAll(async () => {
  const [one, other] = await house.json('manager', '/api/incidents?status=open')
  await office.merges(one.id, other.id)
})

describe('GET /api/export/incidents.csv', () => {
  it('is a dated file that no cache keeps; it begins with the names of its columns', async () => {
    const answer = await house.ask('manager', address)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="incidents-\d{4}-\d\d-\d\d\.csv"$/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    const csv = await answer.text()
    expect(csv.startsWith(`${columns.join(',')}\r\n`)).toBe(true)
    expect(csv.endsWith('\r\n')).toBe(true)
  })

  const filters = [
    '',
    'includeMerged=true',
    'severity=high',
    'assetId=1',
    'unitId=1',
    'status=resolved&severity=high',
    'status=verified&severity=critical&assetId=1&includeMerged=true',
    'status=&severity=&assetId=&unitId=&includeMerged=',
  ]
  it.each(filters)('holds what the list holds, row by row: %s', async (filter) => {
    const rows = read(await text(`?${filter}`))
    const known = columns.slice(0, 15)
    expect(rows.map((row) => Object.fromEntries(known.map((name) => [name, row[name]])))).toEqual(
      await listed(filter),
    )
  })

  it('streams every match, whatever page was looked at', async () => {
    const all = read(await text())
    expect(all.length).toBeGreaterThan(50)
    expect(read(await text('?limit=3&before=9'))).toEqual(all)
  })

  it('refuses filters it does not know', async () => {
    for (const filter of ['status=closed', 'status=open&status=resolved', "severity=low' or 1=1--"]) {
      const answer = await house.ask('manager', `${address}?${filter}`)
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'bad_query'])
    }
  })

  it('tells staff who reported, anonymous or not', async () => {
    const hidden = await query<{ id: number; name: string }>(
      `select i.id, r.name from incidents i join users r on r.id = i.reporter_id
       where i.is_anonymous and i.merged_into_id is null`,
    )
    expect(hidden.length).toBeGreaterThan(0)
    const rows = new Map(read(await text()).map((row) => [Number(row.id), row]))
    for (const { id, name } of hidden) expect(rows.get(id)?.reporterName).toBe(name)
  })

  it('measures answering, downtime and cost', async () => {
    const unitId = await flat('Figures')
    const [asset] = await query<{ id: number }>('select min(id) as id from assets')
    const [made] = await query<{ id: number }>(
      `insert into incidents (title, severity, source, asset_id, is_downtime, status, created_at, downtime_started_at,
         acknowledged_at, resolved_at, verified_at)
       values ('Down', 'critical', 'web', $1, true, 'verified', '2020-02-03T10:00:00.1239Z', '2020-02-03T08:30:00Z',
         '2020-02-03T11:15:00Z', '2020-02-04T08:30:00Z', '2020-02-05T00:00:00Z') returning id`,
      [asset!.id],
    )
    await impactsByFields()
    const [user] = await query<{ id: number }>(`select id from users where role = 'manager'`)
    await query(
      `insert into repair_costs (incident_id, amount_cents, incurred_on, created_by, voided_by, voided_at) values
        ($1, 12345, '2020-02-04', $2, null, null), ($1, 55, '2020-02-04', $2, null, null),
        ($1, 99999, '2020-02-04', $2, $2, now())`,
      [made!.id, user!.id],
    )
    await report(unitId, [{ title: 'Nothing measured', description: '' }])
    const rows = read(await text())
    expect(rows.find(({ id }) => id === String(made!.id))).toMatchObject({
      createdAt: '2020-02-03T10:00:00.123Z',
      acknowledgedAt: '2020-02-03T11:15:00.000Z',
      resolvedAt: '2020-02-04T08:30:00.000Z',
      verifiedAt: '2020-02-05T00:00:00.000Z',
      hoursToAcknowledge: '1.25',
      downtimeHours: '24',
      costCents: '12400',
      mergedIntoId: '',
    })
    expect(rows.find(({ title }) => title === 'Nothing measured')).toMatchObject({
      acknowledgedAt: '',
      hoursToAcknowledge: '',
      downtimeHours: '0',
      costCents: '0',
    })
  })

  it('says where a duplicate went', async () => {
    const merged = await query<{ id: number; into: number }>(
      'select id, merged_into_id as into from incidents where merged_into_id is not null',
    )
    const rows = new Map(read(await text('?includeMerged=true')).map((row) => [Number(row.id), row]))
    expect(merged.length).toBeGreaterThan(0)
    for (const { id, into } of merged) expect(rows.get(id)?.mergedIntoId).toBe(String(into))
  })

  it('names the address of an email’s sender', async () => {
    const from = ['Ada <ada@csv.example>', '=cmd|x@csv.example', 'Maya <resident@example.com>']
    for (const each of from)
      await house.json('inbound', '/api/inbound-email', { json: { from: each, subject: `CSV ${each}` } })
    const rows = read(await text()).filter(({ title }) => title!.startsWith('CSV '))
    expect(rows.map(({ reporterEmail }) => reporterEmail).reverse()).toEqual([
      'ada@csv.example',
      "'=cmd|x@csv.example",
      'resident@example.com',
    ])
  })

  it('guards every column of text, and no other', async () => {
    const [place] = await query<{ asset: number; unit: number }>(
      `with a as (insert into assets (tower_id, name, category) values ($1, '-Lift', 'Lift') returning id),
         u as (insert into units (tower_id, number, floor) values ($1, '-1', -1) returning id)
       select a.id as asset, u.id as unit from a, u`,
      [await scalar<number>(`insert into towers (name) values ('=Tower') returning id as tower`)],
    )
    await query(
      `with people as (insert into users (name, email, role) values
           ('+Mallory', 'plus@example.com', 'resident'), ('@Mallory', 'at@example.com', 'resident') returning id, name)
       insert into incidents (title, severity, source, asset_id, unit_id, reporter_id)
       select 'Plain', 'low', 'web', case name when '+Mallory' then $1::integer end,
         case name when '@Mallory' then $2::integer end, id from people`,
      [place!.asset, place!.unit],
    )
    const [inFlat] = read(await text(`?unitId=${place!.unit}`))
    const [ofAsset] = read(await text(`?assetId=${place!.asset}`))
    expect(ofAsset).toMatchObject({ assetName: "'-Lift", reporterName: "'+Mallory", title: 'Plain' })
    expect(inFlat).toMatchObject({ unitName: "'=Tower · -1", reporterName: "'@Mallory", title: 'Plain' })
  })
})

/** An export whose reader has taken nothing but its first bytes. */
async function begun(): Promise<IncomingMessage> {
  const cookie = await house.signIn('manager@example.com')
  return new Promise((resolve, reject) => {
    get(`${house.origin()}${address}?unitId=${large}`, { headers: { cookie }, agent: false }, resolve).on(
      'error',
      reject,
    )
  })
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await sleep(20)
}

const copying = () =>
  column<number>(`select pid from pg_stat_activity where datname = current_database() and state = 'active'
       and query like '%copy (%' and pid <> pg_backend_pid()`)

let large = 0

describe('a large export', () => {
  it('waits for its reader, and its connection is free when the reader leaves', async () => {
    large = await flat('Large')
    // As the owner: on a busy machine this takes longer than a statement of the application may.
    await asOwner(
      `insert into incidents (title, description, severity, source, unit_id)
       select 'Large', repeat('x', 9999), 'low', 'email', ${large} from generate_series(1, 2500)`,
      house.url(),
    )
    const answer = await begun()
    expect(answer.statusCode).toBe(200)
    expect(openCsvFiles()).toBe(1)
    expect(await copying()).toHaveLength(1)
    answer.destroy()
    await until(() => openCsvFiles() === 0)
    await until(async () => (await copying()).length === 0)
  })

  it('is the third at once only after a while', async () => {
    const [first, second] = [await begun(), await begun()]
    const third = await house.ask('board', address)
    expect(third.status).toBe(503)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await third.json()).toMatchObject({ code: 'export_busy' })
    const page = await house.ask('board', address, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-disposition')]).toEqual([503, null])
    first!.destroy()
    second!.destroy()
    await until(() => openCsvFiles() === 0)
    // The server hears of it later; the next test looks for the one copy of its own.
    await until(async () => (await copying()).length === 0)
    expect(read(await text('?status=resolved')).length).toBeGreaterThan(0)
  })

  it('that fails in the middle does not look complete', async () => {
    const answer = await begun()
    const [pid] = await copying()
    const end = new Promise<string>((resolve) => {
      answer.on('error', () => resolve('broken')).on('end', () => resolve('complete'))
    })
    await query('select pg_terminate_backend($1)', [pid])
    answer.resume()
    expect(await end).toBe('broken')
    expect(answer.complete).toBe(false)
    await until(() => openCsvFiles() === 0)
    expect((await house.ask('guest', '/api/status')).status).toBe(200)
  })

  it('that nobody reads, because only its head was asked for, is not kept open', async () => {
    const answer = await house.ask('manager', address, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    await until(() => openCsvFiles() === 0)
    await until(async () => (await copying()).length === 0)
  })

  it('is given up when its reader stands still for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const file = await csvFile({
        select: `select repeat('x', 1000) as x from generate_series(1, 200000)`,
        quoted: [],
      })
      const end = new Promise((resolve) => file.once('close', () => resolve(file.errored?.message)))
      vi.advanceTimersByTime(50_000)
      expect([file.destroyed, openCsvFiles()]).toEqual([false, 1])
      vi.advanceTimersByTime(11_000)
      expect(await end).toBe('the reader stands still')
      expect(openCsvFiles()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends its rows by two characters wherever its blocks end, and keeps the line feeds of a text', async () => {
    const file = await csvFile({
      select: `select n, repeat('"' || chr(10), n % 7) || repeat('x', n % 211) || chr(10) as text
        from generate_series(1, 20000) n`,
      quoted: ['text'],
    })
    const expected = Array.from({ length: 20_000 }, (_, i) => {
      const n = i + 1
      return `${n},"${'""\n'.repeat(n % 7)}${'x'.repeat(n % 211)}\n"\r\n`
    })
    expect((await buffer(file)).toString() === `n,text\r\n${expected.join('')}`).toBe(true)
  })

  it.each([false, true])('that fails before its first row is no file; byte order mark: %s', async (bom) => {
    const rows = { select: `select 1 / n as x from generate_series(0, 1) n order by n`, quoted: [] }
    await expect(csvFile(rows, { byteOrderMark: bom })).rejects.toThrow('division by zero')
    expect(openCsvFiles()).toBe(0)
  })

  it('comes whole to a slow reader', async () => {
    const answer = await begun()
    let bytes = 0
    for await (const chunk of answer) {
      bytes += (chunk as Buffer).length
      if (bytes % 31 === 0) await sleep(1)
    }
    expect(answer.complete).toBe(true)
    expect(bytes).toBeGreaterThan(2500 * 9999)
    expect(openCsvFiles()).toBe(0)
  })
})
