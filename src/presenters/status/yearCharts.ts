import type { YearReport } from './yearReport.js'

type Bar = { x: number; y: number; width: number; height: number }
/** A chart of twelve months: bars of the year and of the year before, side by side; null when all is 0. */
export type MonthChart = { bars: Bar[]; before: Bar[]; sum: number; most: { month: string; value: number } }

/** The charts' view box; the page scales it. */
export const chartBox = { width: 240, height: 60 }

/** The charts of the year page, whose figures stand in a table below. */
export function yearCharts({ months }: YearReport) {
  return {
    ...chartBox,
    downtime: monthChart(months, ({ downtimeHours }) => downtimeHours),
    cost: monthChart(months, ({ costCents }) => costCents),
  }
}

type Month = YearReport['months'][number]
type Figures = Pick<Month, 'downtimeHours' | 'costCents'>

function monthChart(months: Month[], figure: (of: Figures) => number): MonthChart | null {
  const now = months.map(figure)
  const before = months.map((month) => (month.before ? figure(month.before) : 0))
  const highest = Math.max(0, ...now, ...before)
  if (highest === 0) return null
  const step = chartBox.width / 12
  const bars = (values: number[], offset: number) =>
    values.flatMap((value, i) => {
      const height = Math.max(1, round((chartBox.height * value) / highest))
      const bar = {
        x: round(step * (i + offset)),
        y: chartBox.height - height,
        width: round(step * 0.38),
        height,
      }
      return value > 0 ? [bar] : []
    })
  const value = Math.max(...now)
  return {
    bars: bars(now, 0.52),
    before: bars(before, 0.08),
    sum: now.reduce((sum, each) => sum + each, 0),
    most: { month: months[now.indexOf(value)]!.month, value },
  }
}

const round = (n: number) => Math.round(n * 100) / 100
