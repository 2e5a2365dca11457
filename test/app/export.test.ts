import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv/sync'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { csvFile, openCsvFiles } from '../../src/platform/db/csvFile.js'
import { query } from '../../src/platform/db/database.js'
import { useHouse } from '../support/house/house.js'
import { column } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'

const house = useHouse()
const { maya, office } = house
const address = '/api/export/incidents.csv'
let largeUnit = 0

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
    const rows = linesOf(await download(`?${filter}`))
    const known = columns.slice(0, 15)
    expect(rows.map((row) => Object.fromEntries(known.map((name) => [name, row[name]])))).toEqual(
      await listedAsCells(filter),
    )
  })

  it('streams every match, whatever page was looked at', async () => {
    const all = linesOf(await download())
    expect(all.length).toBeGreaterThan(50)
    expect(linesOf(await download('?limit=3&before=9'))).toEqual(all)
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
    const rows = new Map(linesOf(await download()).map((row) => [Number(row.id), row]))
    for (const { id, name } of hidden) expect(rows.get(id)?.reporterName).toBe(name)
  })

  it('measures answering, downtime and cost', async () => {
    const unitId = await house.unit({ number: 'Figures' })
    const on = (moment: string) => ({ at: new Date(moment) })
    const down = { title: 'Down', severity: 'critical' as const, ...on('2020-02-03T10:00:00.123Z') }
    const report = await maya.reports(1, down)
    const outage = { isDowntime: true, downtimeStartedAt: new Date('2020-02-03T08:30:00Z') }
    await office.corrects(report, outage, on('2020-02-03T10:30:00Z'))
    await office.acknowledges(report, 'We are on it', on('2020-02-03T11:15:00Z'))
    await office.resolves(report, 'Done', on('2020-02-04T08:30:00Z'))
    await maya.confirms(report, undefined, on('2020-02-05T00:00:00Z'))
    // A clock that is finer than milliseconds: the file cuts, and does not round.
    await query(`update incidents set created_at = created_at + interval '900 microseconds' where id = $1`, [
      report,
    ])
    await office.addsCost(report, { amountCents: 12_345 })
    await office.addsCost(report, { amountCents: 55 })
    await office.voidsCost(report, await office.addsCost(report, { amountCents: 99_999 }))
    await house.report({ unitId, title: 'Nothing measured' })
    const rows = linesOf(await download())
    expect(rows.find(({ id }) => id === String(report))).toMatchObject({
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
    const rows = new Map(linesOf(await download('?includeMerged=true')).map((row) => [Number(row.id), row]))
    expect(merged.length).toBeGreaterThan(0)
    for (const { id, into } of merged) expect(rows.get(id)?.mergedIntoId).toBe(String(into))
  })

  it('names the address of an email’s sender', async () => {
    const from = ['Ada <ada@csv.example>', '=cmd|x@csv.example', 'Maya <resident@example.com>']
    for (const each of from)
      await house.json('inbound', '/api/inbound-email', { json: { from: each, subject: `CSV ${each}` } })
    const rows = linesOf(await download()).filter(({ title }) => title!.startsWith('CSV '))
    expect(rows.map(({ reporterEmail }) => reporterEmail).reverse()).toEqual([
      'ada@csv.example',
      "'=cmd|x@csv.example",
      'resident@example.com',
    ])
  })

  it('guards every column of text, and no other', async () => {
    const towerId = await house.tower('=Tower')
    const assetId = await house.asset({ name: '-Lift', towerId })
    const unitId = await house.unit({ number: '-1', towerId, floor: -1 })
    const [plus, at] = ['plus@example.com', 'at@example.com'] as const
    await house.user({ name: '+Mallory', email: plus })
    await house.user({ name: '@Mallory', email: at })
    await house.report({ title: 'Plain', assetId, reporter: plus })
    await house.report({ title: 'Plain', unitId, reporter: at })
    const [inFlat] = linesOf(await download(`?unitId=${unitId}`))
    const [ofAsset] = linesOf(await download(`?assetId=${assetId}`))
    expect(ofAsset).toMatchObject({ assetName: "'-Lift", reporterName: "'+Mallory", title: 'Plain' })
    expect(inFlat).toMatchObject({ unitName: "'=Tower · -1", reporterName: "'@Mallory", title: 'Plain' })
  })
})

describe('a large export', () => {
  beforeAll(async () => {
    largeUnit = await house.unit({ number: 'Large' })
    const report = { description: `repeat('x', 9999)`, asset_id: 'null', unit_id: String(largeUnit) }
    // In parts: on a busy machine all of them take longer than a statement may.
    for (let part = 0; part < 5; part++) await house.manyReports(500, report)
  })

  it('waits for its reader, and its connection is free when the reader leaves', async () => {
    const answer = await beginExport()
    expect(answer.statusCode).toBe(200)
    expect(openCsvFiles()).toBe(1)
    expect(await copying()).toHaveLength(1)
    answer.destroy()
    await expectNoneOpen()
  })

  it('is the third at once only after a while', async () => {
    const [first, second] = [await beginExport(), await beginExport()]
    const third = await house.ask('board', address)
    expect(third.status).toBe(503)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await third.json()).toMatchObject({ code: 'export_busy' })
    const page = await house.ask('board', address, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-disposition')]).toEqual([503, null])
    first!.destroy()
    second!.destroy()
    await expectNoneOpen()
    expect(linesOf(await download('?status=resolved')).length).toBeGreaterThan(0)
  })

  it('that fails in the middle does not look complete', async () => {
    const answer = await beginExport()
    const [pid] = await copying()
    const end = new Promise<string>((resolve) => {
      answer.on('error', () => resolve('broken')).on('end', () => resolve('complete'))
    })
    await query('select pg_terminate_backend($1)', [pid])
    answer.resume()
    expect(await end).toBe('broken')
    expect(answer.complete).toBe(false)
    await expectNoneOpen()
    expect((await house.ask('guest', '/api/status')).status).toBe(200)
  })

  it('that no one reads, because only its head was asked for, is not kept open', async () => {
    const answer = await house.ask('manager', address, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    await expectNoneOpen()
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
    const answer = await beginExport()
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

/** The lines of a file, each cell by the name of its column. */
function linesOf(csv: string): Line[] {
  return parse(csv, { columns: true, bom: true, record_delimiter: '\r\n' }) as Line[]
}

async function download(search = ''): Promise<string> {
  const answer = await house.ask('manager', address + search)
  expect(answer.status).toBe(200)
  // Not answer.text(), which would take the byte order mark away.
  return Buffer.from(await answer.arrayBuffer()).toString()
}

/** The list as JSON, all its pages, every value as a cell of a file would show it. */
async function listedAsCells(filter: string): Promise<Line[]> {
  const rows = await house.list<Record<string, unknown>>('manager', `/api/incidents?limit=50&${filter}`)
  // The file has no column for a hidden name, and the one of the survivor among others.
  return rows.map(({ nameHidden, mergedIntoId, ...row }) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
  )
}

/** An export whose reader has taken nothing but its first bytes. */
async function beginExport(): Promise<IncomingMessage> {
  const cookie = await house.signIn('manager@example.com')
  const url = `${house.origin()}${address}?unitId=${largeUnit}`
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie }, agent: false }, resolve).on('error', reject)
  })
}

/** The server hears a moment later that a reader has left. */
async function expectNoneOpen(): Promise<void> {
  await eventually(() => expect(openCsvFiles()).toBe(0))
  await eventually(async () => expect(await copying()).toEqual([]))
}

/** The processes of the database that copy rows into a file. */
function copying(): Promise<number[]> {
  return column<number>(
    `select pid from pg_stat_activity where datname = current_database() and state = 'active'
       and query like '%copy (%' and pid <> pg_backend_pid()`,
  )
}
