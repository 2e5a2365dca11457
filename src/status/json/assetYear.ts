import { z } from 'zod'
import { instantText, rowId, wholeNumber } from '../../platform/http/json.js'
import { statuses } from '../../vocabulary/lifecycle.js'
import { repeatFaults } from '../../vocabulary/repeatFaults.js'
import { severities } from '../../vocabulary/severity.js'
import type { AssetMonth, AssetYear } from '../queries/year.js'

const month = z.string().regex(/^\d{4}-\d\d$/)

/** An asset's last twelve months, for staff. */
export const assetYearFields = {
  costByMonth: z.array(z.strictObject({ month, costCents: z.int() })),
  faultsByMonth: z.array(z.strictObject({ month, count: wholeNumber })),
  repeatFaults: z.array(
    z.strictObject({
      id: rowId,
      title: z.string(),
      severity: z.enum(severities),
      status: z.enum(statuses),
      createdAt: instantText,
      after: z.strictObject({ id: rowId, title: z.string(), resolvedAt: instantText.nullable() }),
      daysAfter: wholeNumber,
    }),
  ),
}

/** Costs and faults by month, oldest first, and faults within 30 days of a repair; for staff. */
export function presentAssetYear({
  months,
  faults,
  since,
}: AssetYear): z.output<z.ZodObject<typeof assetYearFields>> {
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

/** The chart's view box; the page scales it. */
export const chart = { width: 120, height: 40 }

/** Bars of the cost chart, one per month with costs, and the numbers of its text alternative. */
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
