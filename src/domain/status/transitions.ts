import { DAY } from '../time/durations.js'
import { type AssetStatus, assetStatuses } from './assetStatus.js'
import { holdsTime, type Interval } from './intervals.js'

/** A stretch (epoch ms) in which something made an asset's live status at least this, as people saw it then. */
export type Seen = Interval & { status: AssetStatus }

/** A change of live status, at its own moment (epoch ms). */
export type Transition = { status: AssetStatus; at: number }

/** The most changes of one asset that are announced at once. */
const most = 50

/** What the time before `known` was only then said to have been, nobody saw: it is cut off. Epoch ms. */
export function seenSince<T extends Interval>(span: T, known: number): T {
  return { ...span, start: Math.max(span.start, known), end: Math.max(span.end, known) }
}

/** The live status at an instant: the worst that anything made it (decision 3.1). */
export function statusAt(seen: readonly Seen[], instant: number): AssetStatus {
  const there = seen.filter(({ start, end }) => start <= instant && instant < end)
  return assetStatuses[Math.max(0, ...there.map(({ status }) => assetStatuses.indexOf(status)))]!
}

/**
 * The changes in (from, to] that differ from the one before, oldest first, the first one from `told`: those of the
 * last day, at most 50, and the last one in any case (decision 3.5).
 */
export function transitions(
  told: AssetStatus,
  seen: readonly Seen[],
  from: number,
  to: number,
): Transition[] {
  const spans = seen.filter(holdsTime)
  const moments = [...new Set(spans.flatMap(({ start, end }) => [start, end]))]
  const all = moments
    .filter((at) => from < at && at <= to)
    .sort((a, b) => a - b)
    .map((at) => ({ at, status: statusAt(spans, at) }))
  const changes = differing(told, all)
  const recent = changes.filter(({ at }) => at > to - DAY).slice(-most)
  return differing(told, recent.length > 0 ? recent : changes.slice(-1))
}

function differing(told: AssetStatus, moments: readonly Transition[]): Transition[] {
  return moments.filter(({ status }, i) => status !== (moments[i - 1]?.status ?? told))
}
