import type { AssetTimes } from '../../src/status/rules/uptime.js'
import type { Interval } from '../../src/vocabulary/time/intervals.js'

/** The moment at which the rules of the status are asked. */
export const now = Date.parse('2026-05-15T10:30:00Z')

/** An interval given in ms before now: [2 h, 1 h] ran from two hours to one hour ago. */
export function ago(start: number, end = -Infinity): Interval {
  return { start: now - start, end: now - end }
}

/** The times of an asset to which nothing else happened. */
export const assetTimes = (some: Partial<AssetTimes>): AssetTimes => ({
  downtime: [],
  degraded: [],
  maintenance: [],
  recordedSince: -Infinity,
  ...some,
})
