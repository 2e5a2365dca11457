import { repeatFaults } from '../../domain/incidents/repeatFaults.js'
import type { AssetMonth, AssetYear } from '../../models/building/assetYear.js'

/** An asset's costs and faults by month, oldest first, and what broke again within 30 days of a repair; for staff. */
export function presentAssetYear({ months, faults, since }: AssetYear) {
  return {
    costByMonth: months.map(({ month, costCents }) => ({ month, costCents })),
    faultsByMonth: months.map(({ month, faults: count }) => ({ month, count })),
    repeatFaults: repeatFaults(faults, since).map(({ fault, after, daysAfter }) => ({
      id: fault.id,
      title: fault.title,
      severity: fault.severity,
      status: fault.status,
      createdAt: fault.createdAt.toISOString(),
      after: { id: after.id, title: after.title, resolvedAt: after.resolvedAt?.toISOString() ?? null },
      daysAfter,
    })),
  }
}

/** Size of the chart's drawing; the page stretches it. */
export const chart = { width: 120, height: 40 }

/** Bars of the cost chart, one for each month in which something was spent, and what the chart says in words. */
export function costChart(months: Pick<AssetMonth, 'month' | 'costCents'>[]) {
  const most = months.reduce((a, b) => (b.costCents > a.costCents ? b : a))
  const step = chart.width / months.length
  const bars = months.flatMap(({ costCents }, i) => {
    const height = Math.max(1, round((chart.height * costCents) / most.costCents))
    const bar = { x: round(step * (i + 0.15)), y: chart.height - height, width: round(step * 0.7), height }
    return costCents > 0 ? [bar] : []
  })
  return { ...chart, bars, most, sumCents: months.reduce((sum, { costCents }) => sum + costCents, 0) }
}

const round = (n: number) => Math.round(n * 100) / 100
