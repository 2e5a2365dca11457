import { type AssetStatus, liveStatus } from '../../vocabulary/assetStatus.js'
import type { ImpactSpan } from '../../vocabulary/impact.js'
import type { Days } from '../../vocabulary/time/calendar.js'
import { type Interval, union } from '../../vocabulary/time/intervals.js'
import { type AssetHistory, type AssetTimes, assetHistory } from './uptime.js'

/** An asset's live status, day colours and uptimes at one instant, and since when (epoch ms) it is so. */
export type Standing = AssetHistory & { status: AssetStatus; since: number | null }

/**
 * Derives what is shown of an asset from its impacts and maintenance at `now` and from nothing else (decisions
 * 2.8, 3.1–3.3). Maintenance is given as occurrences; `days` is `lastDays(zone, now, 90)`.
 */
export function standingOf(
  spans: readonly ImpactSpan[],
  maintenance: readonly Interval[],
  days: Days,
  now: number,
): Standing {
  const running = spans.filter(({ end }) => end === Infinity)
  const inMaintenance = maintenance.some(({ start, end }) => start <= now && now < end)
  const status = liveStatus(running, inMaintenance)
  const times = timesOf(spans, maintenance, now)
  return { ...assetHistory(times, days, now), status, since: inStateSince(status, times, now) }
}

/** When an asset was down, degraded and in maintenance. */
function timesOf(spans: readonly ImpactSpan[], maintenance: readonly Interval[], now: number): AssetTimes {
  const ofKind = (kind: ImpactSpan['impact']) =>
    spans
      .filter(({ impact }) => impact === kind)
      // What runs has begun: after a clock that went back, too.
      .map(({ start, end }) => ({ start: end === Infinity ? Math.min(start, now) : start, end }))
  return { downtime: ofKind('down'), degraded: ofKind('degraded'), maintenance }
}

/** When the present status began, over all causes without a gap; null while the asset works. */
function inStateSince(
  status: AssetStatus,
  { downtime, degraded, maintenance }: AssetTimes,
  now: number,
): number | null {
  if (status === 'operational') return null
  if (status === 'maintenance')
    return Math.min(...maintenance.filter(({ start, end }) => start <= now && now < end).map((w) => w.start))
  const began = union(status === 'down' ? downtime : degraded).at(-1)!.start
  if (status === 'down') return began
  return Math.max(began, ...downtime.map(({ end }) => end).filter((end) => end <= now))
}
