import { type AssetStatus, assetStatuses } from '../../vocabulary/assetStatus.js'

/** A run of days with the same status; `from` and `to` are indices, both included. */
export type Run = { status: AssetStatus; from: number; to: number }

/** The days as runs of equal status, oldest first. */
export function runsOf(days: Uint8Array): Run[] {
  const runs: Run[] = []
  for (const [i, byte] of days.entries()) {
    const status = assetStatuses[byte]!
    const last = runs.at(-1)
    if (last?.status === status) last.to = i
    else runs.push({ status, from: i, to: i })
  }
  return runs
}

/** The height of each status in a bar of 12: it tells them apart without colour. */
const heights: Record<AssetStatus, number> = { operational: 5, maintenance: 6, degraded: 8, down: 12 }

/**
 * The 90-day bar as SVG paths, one per status, on the ground line of a 90 × 12 view box. Each run is a
 * horizontal stroke, which the style sheet dashes into days.
 */
export function barPaths(runs: readonly Run[]): { status: AssetStatus; d: string }[] {
  return assetStatuses.flatMap((status) => {
    const y = 12 - heights[status] / 2
    const d = runs
      .filter((run) => run.status === status)
      .map(({ from, to }) => `M${from} ${y}h${to - from + 1}`)
      .join('')
    return d ? [{ status, d }] : []
  })
}
