import type { Readable } from 'node:stream'
import { z } from 'zod'
import { columnsOf, csvPlain, csvText, literal } from '../../platform/db/csvColumns.js'
import { csvFile } from '../../platform/db/csvFile.js'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { grouped } from '../../vocabulary/collections.js'
import { wallClock } from '../../vocabulary/time/calendar.js'
import type { Interval } from '../../vocabulary/time/intervals.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import { NotFound } from '../../vocabulary/validation.js'
import { historyFrame, type PastAsset } from '../queries/history.js'
import type { PastImpact } from '../queries/impacts.js'
import { type Spent, type YearPart, type YearRows, yearRows } from '../queries/year.js'
import { hundredths, percent, type Share } from '../rules/uptime.js'
import { downtimeBetween, outageFigures, yearBefore, yearUpTo } from '../rules/yearFigures.js'

/** Null where there is no uptime: reports without an asset, and assets not there then. */
const figures = {
  uptime: z.string().nullable(),
  outages: wholeNumber.nullable(),
  downtimeHours: z.number().nullable(),
  repeats: wholeNumber.nullable(),
  costCents: wholeNumber,
  reports: wholeNumber,
  hoursToAnswer: z.number().nullable(),
  hoursToRepair: z.number().nullable(),
  repaired: wholeNumber,
  confirmed: wholeNumber,
}
const FiguresJson = z.strictObject(figures)
const compared = { ...figures, before: FiguresJson.nullable() }
const monthFigures = { downtimeHours: z.number(), costCents: wholeNumber }

/**
 * GET /api/admin/year. `hoursToAnswer`, `hoursToRepair`: medians, in which what still waits waits
 * longest. `before`: the same stretch of the year before; null where there was none. `elsewhere`:
 * reports of flats and of no place.
 */
export const YearReportJson = shape('YearReport', {
  year: z.int(),
  previous: z.int().nullable(),
  next: z.int().nullable(),
  from: instantText,
  until: instantText,
  comparedUntil: instantText.nullable(),
  currency: z.string(),
  total: z.strictObject(compared),
  elsewhere: z.strictObject(compared),
  assets: z.array(
    z.strictObject({
      id: rowId,
      name: z.string(),
      towerName: z.string(),
      archived: z.boolean(),
      ...compared,
    }),
  ),
  months: z.array(
    z.strictObject({
      month: z.string().regex(/^\d{4}-\d{2}$/),
      ...monthFigures,
      before: z.strictObject(monthFigures).nullable(),
    }),
  ),
})
export type YearReport = z.output<typeof YearReportJson>
export type YearFigures = z.output<typeof FiguresJson>

/** An asset's impacts and planned work of both years, as they were when it was known. */
type Past = { asset: PastAsset; impacts: readonly PastImpact[]; maintenance: readonly Interval[] }

/** A year of the building beside the year before; `previous` and `next` are the years there are. */
export function presentYear(rows: YearRows, neighbours: Pick<YearReport, 'previous' | 'next'>): YearReport {
  const { now, before } = rows
  const pasts = pastsOf(rows)
  const present = figuresOf(pasts, now)
  const earlier = before && figuresOf(pasts, before)
  const beside = (pick: (all: PartFigures) => YearFigures | null) => ({
    ...(pick(present) ?? nothing),
    before: earlier && pick(earlier),
  })
  return {
    year: now.span.year,
    ...neighbours,
    from: iso(now.span.start),
    until: iso(now.span.end),
    comparedUntil: before && iso(before.span.end),
    currency: rows.currency,
    total: beside(({ total }) => total),
    elsewhere: beside(({ elsewhere }) => elsewhere),
    assets: pasts
      .filter(({ asset }) => present.assets.has(asset.id))
      .map(({ asset: { id, name, towerName, archived } }) => ({
        id,
        name,
        towerName,
        archived,
        ...beside(({ assets }) => assets.get(id) ?? null),
      })),
    months: monthsOf(pasts, now, before),
  }
}

/** Assets without uptime of a part are left out, unless something was reported or paid for. */
type PartFigures = { total: YearFigures; elsewhere: YearFigures; assets: Map<number, YearFigures> }

const noReports = { reports: 0, hoursToAnswer: null, hoursToRepair: null, repaired: 0, confirmed: 0 }
const noUptime = { uptime: null, outages: null, downtimeHours: null, repeats: null }
const nothing: YearFigures = { ...noUptime, ...noReports, costCents: 0 }

function pastsOf({ assets, impacts, windows, zone, now, before }: YearRows): Past[] {
  const impactsOf = grouped(impacts, ({ assetId }) => assetId)
  const windowsOf = grouped(windows, ({ assetId }) => assetId)
  const from = (before ?? now).span.start
  return assets.map((asset) => ({
    asset,
    impacts: impactsOf.get(asset.id) ?? [],
    maintenance: (windowsOf.get(asset.id) ?? []).flatMap((window) =>
      occurrences(window, zone, from, now.span.end),
    ),
  }))
}

function figuresOf(pasts: readonly Past[], { span, reports, spent }: YearPart): PartFigures {
  const sum: Share & { outages: number; repeats: number } = { base: 0, up: 0, outages: 0, repeats: 0 }
  const reported = (of: number | null | 'all') => reports.get(of) ?? noReports
  const assets = new Map<number, YearFigures>()
  for (const { asset, impacts, maintenance } of pasts) {
    const rest = { ...reported(asset.id), costCents: cents(spent, asset.id) }
    const known = knownIn(asset, span)
    if (known.start < known.end) {
      const { share, outages, repeats } = outageFigures(impacts, maintenance, known)
      assets.set(asset.id, { ...uptimeOf(share), outages, repeats, ...rest })
      sum.base += share.base
      sum.up += share.up
      sum.outages += outages
      sum.repeats += repeats
    } else if (rest.reports > 0 || rest.costCents > 0) assets.set(asset.id, { ...noUptime, ...rest })
  }
  const { outages, repeats } = sum
  return {
    assets,
    elsewhere: { ...nothing, ...reported(null), costCents: cents(spent, null) },
    total: { ...uptimeOf(sum), outages, repeats, ...reported('all'), costCents: cents(spent) },
  }
}

/** Hours with two decimals, and uptime over all shares: full when all of it was planned work. */
function uptimeOf(share: Share): Pick<YearFigures, 'uptime' | 'downtimeHours'> {
  return { uptime: percent(hundredths(share)), downtimeHours: hours(share.base - share.up) }
}

/** The part of a stretch in which the asset was known. */
function knownIn({ since, until }: PastAsset, { start, end }: Interval): Interval {
  return { start: Math.max(start, since), end: Math.min(end, until) }
}

/** The months that have started since an asset was known, beside those of the year before. */
function monthsOf(pasts: readonly Past[], now: YearPart, before: YearPart | null): YearReport['months'] {
  const earlier = before ? monthSums(pasts, before) : []
  return monthSums(pasts, now).flatMap((sums, i) => {
    const month = monthOf(now, i)
    return sums ? [{ month, ...sums, before: earlier[i] ?? null }] : []
  })
}

/** By month, null for one that has not started or is older than all that is known. */
function monthSums(pasts: readonly Past[], part: YearPart) {
  const { months, start, end } = part.span
  const first = Math.min(...pasts.map(({ asset }) => asset.since))
  const downtime = pasts.map(({ asset, impacts, maintenance }) => {
    const known = knownIn(asset, { start, end })
    const within = (bound: number) => Math.max(known.start, Math.min(bound, known.end))
    return downtimeBetween(impacts, maintenance, months.map(within))
  })
  return months.slice(1).map((until, i) => {
    const spent = part.spent.filter(({ month }) => month === monthOf(part, i))
    if (months[i]! >= end || (until <= first && spent.length === 0)) return null
    const sum = downtime.reduce((total, ofAsset) => total + ofAsset[i]!, 0)
    return { downtimeHours: hours(sum), costCents: cents(spent) }
  })
}

const monthOf = ({ span }: YearPart, i: number) => `${span.year}-${String(i + 1).padStart(2, '0')}`

/** Cents of these rows, of one asset or of none (null), or all. */
function cents(spent: readonly Spent[], assetId?: number | null): number {
  const own = assetId === undefined ? spent : spent.filter((row) => row.assetId === assetId)
  return own.reduce((sum, { costCents }) => sum + costCents, 0)
}

const iso = (at: number) => new Date(at).toISOString()
const hours = (milliseconds: number) => Math.round(milliseconds / 36_000) / 100

/** The report as lines of a file: assets, the rest and the building, of both years. */
function yearLines({ year, total, elsewhere, assets }: YearReport) {
  const rows = [
    ...assets.map(({ id, name, towerName, archived, ...row }) => ({
      ...row,
      of: 'asset',
      assetId: id,
      asset: name,
      tower: towerName,
    })),
    { ...elsewhere, of: 'elsewhere', assetId: null, asset: '', tower: '' },
    { ...total, of: 'building', assetId: null, asset: '', tower: '' },
  ]
  return rows.flatMap(({ before, of, assetId, asset, tower, ...figures }) => {
    const place = { of, assetId, asset, tower }
    return [{ year, ...place, ...figures }, ...(before ? [{ year: year - 1, ...place, ...before }] : [])]
  })
}

/** Text written by people. */
const written = ['asset', 'tower']
/** The columns of the file, in order. */
const columns = ['year', 'of', 'assetId', ...written, ...Object.keys(figures)]

/** A year as CSV, in the form of every other file. Resolves with the first bytes. */
export async function yearAsCsv(report: YearReport, format: { byteOrderMark: boolean }): Promise<Readable> {
  const sources = columns.map((name) => [name, (written.includes(name) ? csvText : csvPlain)(`r."${name}"`)])
  const { list, quoted } = columnsOf(Object.fromEntries(sources))
  const lines = literal(JSON.stringify(yearLines(report)))
  const columnTypes = columns.map((name) => `"${name}" text`).join(', ')
  return csvFile(
    { select: `select ${list} from json_to_recordset(${lines}::json) r (${columnTypes})`, quoted },
    format,
  )
}

/** With more towers than these, the page has a table for each of them below the sums. */
const towersInOneTable = 6

/**
 * The tables of the year page: of `assets`, those it has room for, and of the building. A table
 * of one tower has its name, a sum says of what it is; reports without an asset are left out where
 * there are none.
 */
export function yearTables(
  { elsewhere, total }: YearReport,
  assets: readonly YearReport['assets'][number][],
) {
  const building = { ...total, sumOf: 'total' as const }
  const hasElsewhere = [elsewhere, elsewhere.before].some((of) => of && of.reports + of.costCents > 0)
  const sums = hasElsewhere ? [{ ...elsewhere, sumOf: 'elsewhere' as const }, building] : [building]
  const towers = [...grouped(assets, ({ towerName }) => towerName)]
  if (towers.length <= towersInOneTable)
    return [{ tower: null, rows: [...assets.map((row) => ({ ...row, tower: row.towerName })), ...sums] }]
  return [{ tower: null, rows: sums }, ...towers.map(([tower, rows]) => ({ tower, rows }))]
}

/** The charts' view box; the page scales it. */
const chartBox = { width: 240, height: 60 }

/** The charts of the year page, whose figures stand in a table, and the months below their bars. */
export function yearCharts({ year, months }: YearReport) {
  return {
    ...chartBox,
    labels: Array.from({ length: inYear }, (_, i) => `${year}-${String(i + 1).padStart(2, '0')}`),
    downtime: monthChart(months, ({ downtimeHours }) => downtimeHours),
    cost: monthChart(months, ({ costCents }) => costCents),
  }
}

const inYear = 12
type MonthFigures = { downtimeHours: number; costCents: number }

/** Bars of the year and of the year before, side by side, for twelve months; null when all is 0. */
function monthChart(months: YearReport['months'], figure: (of: MonthFigures) => number) {
  const now = months.map((month) => ({ month: month.month, value: figure(month) }))
  const before = months.map(({ month, before }) => ({ month, value: before ? figure(before) : 0 }))
  const values = [...now, ...before].map(({ value }) => value)
  const highest = Math.max(0, ...values)
  if (highest === 0) return null
  const step = chartBox.width / inYear
  const bars = (name: 'before' | 'now', figures: typeof now, offset: number) =>
    figures
      .filter(({ value }) => value > 0)
      .map(({ month, value }) => {
        const height = Math.max(1, round((chartBox.height * value) / highest))
        const x = round(step * (Number(month.slice(5)) - 1 + offset))
        return { name, x, y: round(chartBox.height - height), width: round(step * 0.38), height }
      })
  return {
    bars: [bars('before', before, 0.08), bars('now', now, 0.52)].flat(),
    sum: now.reduce((sum, { value }) => sum + value, 0),
    most: now.reduce((a, b) => (b.value > a.value ? b : a)),
  }
}

const round = (n: number) => Math.round(n * 100) / 100

/** A year of the building, by default this one, beside the one before. Throws NotFound. */
export async function yearReport(requestedYear: number | undefined): Promise<YearReport> {
  const { now, zone, first } = await historyFrame()
  const [earliest, current] = [first, now].map((at) => wallClock(zone, at).year) as [number, number]
  const year = requestedYear ?? current
  if (year > current || year < earliest) throw new NotFound()
  const span = yearUpTo(zone, year, now)
  const before = year > earliest ? yearBefore(zone, span) : null
  return presentYear(await yearRows(zone, span, before), {
    previous: before?.year ?? null,
    next: year < current ? year + 1 : null,
  })
}
