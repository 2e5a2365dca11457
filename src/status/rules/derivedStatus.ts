import { type AssetStatus, assetStatuses, type ImpactSpan, liveStatus } from '../../vocabulary/assetStatus.js'
import { DAY, type Days } from '../../vocabulary/time/calendar.js'
import { holdsTime, type Interval, union } from '../../vocabulary/time/intervals.js'
import { type AssetHistory, type AssetTimes, assetHistory } from './uptime.js'

/**
 * An asset's live status, since when it is so, its day colours and its uptimes. `until`: the end of
 * the planned work that is its status; null for another one. Epoch ms.
 */
export type DerivedStatus = AssetHistory & {
  status: AssetStatus
  since: number | null
  until: number | null
}

/**
 * Derives what is shown of an asset from its impacts and maintenance at `now` and from nothing else
 * (decisions 2.8, 3.1–3.3, 9.20). Maintenance is given as occurrences; `days`: `lastDays(zone, now,
 * 90)`.
 */
export function deriveStatus(
  spans: readonly ImpactSpan[],
  { maintenance, recordedSince }: Pick<AssetTimes, 'maintenance' | 'recordedSince'>,
  days: Days,
  now: number,
): DerivedStatus {
  const running = spans.filter(({ end }) => end === Infinity)
  // Work that overlaps other work, or follows it without a gap, is one stretch.
  const work = union(maintenance).find(({ start, end }) => start <= now && now < end) ?? null
  const status = liveStatus(running, work !== null)
  const times = { ...timesOf(spans, now), maintenance, recordedSince }
  return {
    ...assetHistory(times, days, now),
    status,
    since: inStateSince(status, times, work, now),
    until: status === 'maintenance' ? work!.end : null,
  }
}

/** When an asset was down, and when degraded. */
function timesOf(spans: readonly ImpactSpan[], now: number): Pick<AssetTimes, 'downtime' | 'degraded'> {
  const ofKind = (kind: ImpactSpan['impact']) =>
    spans
      .filter(({ impact }) => impact === kind)
      // What runs has begun: after a clock that went back, too.
      .map(({ start, end }) => ({ start: end === Infinity ? Math.min(start, now) : start, end }))
  return { downtime: ofKind('down'), degraded: ofKind('degraded') }
}

/**
 * When the present status began, over all causes without a gap, and not before a graver status
 * ended; null while the asset works. `work`: the planned work in progress.
 */
function inStateSince(
  status: AssetStatus,
  { downtime, degraded }: Pick<AssetTimes, 'downtime' | 'degraded'>,
  work: Interval | null,
  now: number,
): number | null {
  if (status === 'operational') return null
  if (status === 'maintenance') return lastEnd([...downtime, ...degraded], work!.start, now)
  const began = union(status === 'down' ? downtime : degraded).at(-1)!.start
  return status === 'down' ? began : lastEnd(downtime, began, now)
}

/** The last end of these times until now, or `began` when it is later. */
function lastEnd(times: readonly Interval[], began: number, now: number): number {
  return Math.max(began, ...times.map(({ end }) => end).filter((end) => end <= now))
}

/** A stretch of time (epoch ms) in which something makes an asset's live status at least this. */
export type StatusSpan = Interval & { status: AssetStatus }

/** A live status and the moment (epoch ms) from which on it is true. */
export type Transition = { status: AssetStatus; at: number }

/** The most changes of one asset that are announced at once. */
const most = 50

/** The live status at an instant: the worst that any span makes it (decision 3.1). */
function statusAt(spans: readonly StatusSpan[], instant: number): AssetStatus {
  const current = spans.filter(({ start, end }) => start <= instant && instant < end)
  return assetStatuses[Math.max(0, ...current.map(({ status }) => assetStatuses.indexOf(status)))]!
}

/**
 * The changes of live status after the last announced one, oldest first: those of the day before
 * `until` (epoch ms), at most 50, and the last in any case (decision 3.5). What was different
 * already then changes one millisecond after it.
 */
export function transitionsSince(
  last: Transition,
  spans: readonly StatusSpan[],
  until: number,
): Transition[] {
  const first = last.at + 1
  const times = spans.filter(holdsTime)
  const boundaries = times.flatMap(({ start, end }) => [start, end])
  const moments = [...new Set([first, ...boundaries.filter((at) => first < at && at <= until)])]
  const all = moments.sort((a, b) => a - b).map((at) => ({ at, status: statusAt(times, at) }))
  const changes = onlyChanges(last.status, all)
  const recent = changes.filter(({ at }) => at > until - DAY).slice(-most)
  return onlyChanges(last.status, recent.length > 0 ? recent : changes.slice(-1))
}

function onlyChanges(before: AssetStatus, moments: readonly Transition[]): Transition[] {
  return moments.filter(({ status }, i) => status !== (moments[i - 1]?.status ?? before))
}
