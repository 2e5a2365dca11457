import { type AssetStatus, assetStatuses } from '../../vocabulary/assetStatus.js'
import { DAY } from '../../vocabulary/time/durations.js'
import { holdsTime, type Interval } from '../../vocabulary/time/intervals.js'

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
