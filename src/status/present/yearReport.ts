import { z } from 'zod'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { grouped } from '../../vocabulary/collections.js'
import type { Interval } from '../../vocabulary/time/intervals.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import type { PastImpact } from '../impacts/readImpacts.js'
import type { PastAsset } from '../queries/history.js'
import type { Spent, YearPart, YearRows } from '../queries/year.js'
import { hundredths, percent, type Share } from '../rules/uptime.js'
import { downtimeBetween, outageFigures } from '../rules/yearFigures.js'

/** Null where there is no uptime: reports without an asset, and assets not there then. */
export const figureFields = {
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
const FiguresJson = z.strictObject(figureFields)
const compared = { ...figureFields, before: FiguresJson.nullable() }
const monthFigures = { downtimeHours: z.number(), costCents: wholeNumber }

/**
 * GET /api/admin/year. `hoursToAnswer`, `hoursToRepair`: medians, in which what still waits waits
 * longest. `before`: the same stretch of the year before; null where there was none. `elsewhere`:
 * reports of flats and of no place. `recordedSince`: nothing is known of an asset before, and its
 * uptime counts from there (decision 9.20).
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
      recordedSince: instantText,
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
      .map(({ asset: { id, name, towerName, archived, recordedSince } }) => ({
        id,
        name,
        towerName,
        archived,
        recordedSince: iso(recordedSince),
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
function knownIn({ recordedSince, until }: PastAsset, { start, end }: Interval): Interval {
  return { start: Math.max(start, recordedSince), end: Math.min(end, until) }
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
  const first = Math.min(...pasts.map(({ asset }) => asset.recordedSince))
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
