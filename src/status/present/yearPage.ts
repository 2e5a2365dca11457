import { grouped } from '../../vocabulary/collections.js'
import type { YearReport } from './yearReport.js'

/** Each has nine figures of two years: so many fit into a page of 500 KB (decision 8.7). */
const rowsOnYearPage = 200

/** Those that were out of service longest, in the order they came. */
export function worstOfYear<A extends { downtimeHours: number | null }>(assets: readonly A[]): readonly A[] {
  if (assets.length <= rowsOnYearPage) return assets
  const worst = new Set(
    assets.toSorted((a, b) => (b.downtimeHours ?? 0) - (a.downtimeHours ?? 0)).slice(0, rowsOnYearPage),
  )
  return assets.filter((asset) => worst.has(asset))
}

/** With more towers than these, the page has a table for each of them below the sums. */
const towersInOneTable = 6

/**
 * The tables of the year page: of `assets`, those it has room for, and of the building. A table
 * of one tower has its name, a sum says of what it is; reports without an asset are left out where
 * there are none. `isNew`: recorded later than the building.
 */
export function yearTables(
  { elsewhere, total, from }: YearReport,
  yearAssets: readonly YearReport['assets'][number][],
) {
  const start = recordedFrom(from, yearAssets) ?? from
  // A building that is being set up gets its assets within a day.
  const isNew = (since: string) => since.slice(0, 10) > start.slice(0, 10)
  const assets = yearAssets.map((asset) => ({ ...asset, isNew: isNew(asset.recordedSince) }))
  const building = { ...total, sumOf: 'total' as const }
  const hasElsewhere = [elsewhere, elsewhere.before].some((of) => of && of.reports + of.costCents > 0)
  const sums = hasElsewhere ? [{ ...elsewhere, sumOf: 'elsewhere' as const }, building] : [building]
  const towers = [...grouped(assets, ({ towerName }) => towerName)]
  if (towers.length <= towersInOneTable)
    return [{ tower: null, rows: [...assets.map((row) => ({ ...row, tower: row.towerName })), ...sums] }]
  return [{ tower: null, rows: sums }, ...towers.map(([tower, rows]) => ({ tower, rows }))]
}

/** Since when of the year anything is recorded: an instant, or null where all of it is. */
export function recordedFrom(from: string, assets: readonly { recordedSince: string }[]): string | null {
  const first = assets.map(({ recordedSince }) => recordedSince).sort()[0]
  return first !== undefined && first > from ? first : null
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
