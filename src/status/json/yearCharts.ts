import type { YearReport } from './yearReport.js'

type Bar = { x: number; y: number; width: number; height: number }
/** A chart of twelve months: bars of the year and of the year before, side by side; null when all is 0. */
export type MonthChart = { bars: Bar[]; before: Bar[]; sum: number; most: { month: string; value: number } }

/** The charts' view box; the page scales it. */
export const chartBox = { width: 240, height: 60 }

/** The charts of the year page, whose figures stand in a table below, and the months below their bars. */
export function yearCharts({ year, months }: YearReport) {
  return {
    ...chartBox,
    labels: Array.from({ length: inYear }, (_, i) => `${year}-${String(i + 1).padStart(2, '0')}`),
    downtime: monthChart(months, ({ downtimeHours }) => downtimeHours),
    cost: monthChart(months, ({ costCents }) => costCents),
  }
}

const inYear = 12
type Month = YearReport['months'][number]
type Figures = Pick<Month, 'downtimeHours' | 'costCents'>

function monthChart(months: Month[], figure: (of: Figures) => number): MonthChart | null {
  const now = months.map((month) => ({ month: month.month, value: figure(month) }))
  const before = months.map(({ month, before }) => ({ month, value: before ? figure(before) : 0 }))
  const highest = Math.max(0, ...[...now, ...before].map(({ value }) => value))
  if (highest === 0) return null
  const step = chartBox.width / inYear
  const bars = (of: typeof now, offset: number) =>
    of
      .filter(({ value }) => value > 0)
      .map(({ month, value }) => {
        const height = Math.max(1, round((chartBox.height * value) / highest))
        const x = round(step * (Number(month.slice(5)) - 1 + offset))
        return { x, y: round(chartBox.height - height), width: round(step * 0.38), height }
      })
  return {
    bars: bars(now, 0.52),
    before: bars(before, 0.08),
    sum: now.reduce((sum, { value }) => sum + value, 0),
    most: now.reduce((a, b) => (b.value > a.value ? b : a)),
  }
}

const round = (n: number) => Math.round(n * 100) / 100
