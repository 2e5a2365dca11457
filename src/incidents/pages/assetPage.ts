import type { AssetState } from '../../status/present/assetState.js'
import { assetsAlike } from '../../status/present/statusPage.js'
import type { LatestStatement } from '../../status/queries/latestStatement.js'
import type { AssetMonth } from '../../status/queries/year.js'
import { excerpt } from '../../vocabulary/plainText.js'

/** Characters of a statement on the asset's page; the incident's page has all of it. */
const statementLength = 280

/** The latest statement on the incident that affects an asset. */
export function presentStatement({ body, createdAt, isReopening }: LatestStatement) {
  return { isReopening, body: excerpt(body, statementLength), createdAt: createdAt.toISOString() }
}

/**
 * Assets of the same kind in the same tower, as alternatives: how many work, and the others by
 * name. Null when there is no other.
 */
export function presentAlternatives(asset: AssetState, assets: readonly AssetState[]) {
  const alike = assetsAlike(asset, assets)
  if (alike.length < 2) return null
  return {
    category: asset.category,
    towerName: asset.towerName,
    working: alike.filter(({ status }) => status === 'operational').length,
    total: alike.length,
    others: alike.filter(({ id }) => id !== asset.id).map(({ id, name, status }) => ({ id, name, status })),
  }
}

/** The chart's view box; the page scales it. */
const chart = { width: 120, height: 40 }

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
