import { type ImpactSpan, neverRepaired } from '../../vocabulary/assetStatus.js'
import type { Changes } from '../../vocabulary/audit.js'
import { coloursAsset, type Severity } from '../../vocabulary/severity.js'
import { clip, type Interval, subtract, union } from '../../vocabulary/time/intervals.js'

/** An impact of an incident on one of the assets it was assigned to. */
export type PlacedSpan = ImpactSpan & { assetId: number }

/** An incident's fields now; times in epoch ms, `resolvedAt` null while unresolved. */
export type Present = {
  createdAt: number
  resolvedAt: number | null
  assetId: number | null
  severity: Severity
}

/** An audit entry of the incident: what was changed, and when (epoch ms). */
export type PastChange = { at: number; action: string; changes: Changes }

/** Downtime of the whole incident (decision 2.8); null times: as reported, as resolved. */
export type Downtime = { isDowntime: boolean; startedAt: number | null; endedAt: number | null }

/**
 * What a correction changes of the past. `downtime`: as it was all the time; null keeps the stored
 * downtime. `severity`: whether the present one counts for the past as well.
 */
type CorrectionOfPast = { downtime: Downtime | null; severity: boolean }

type Period<T> = Interval & { value: T }
type TimesByAsset = Map<number, Interval[]>

/**
 * The impacts of an incident after a correction of its past (decision 2.8). `past`: its audit
 * entries, newest first. A field that the correction leaves out keeps its stored impacts. Time that
 * is no longer downtime becomes degraded where its severity was medium or above.
 */
export function correctedImpacts(
  stored: readonly PlacedSpan[],
  present: Present,
  past: readonly PastChange[],
  correction: CorrectionOfPast,
): PlacedSpan[] {
  const unresolved = unresolvedTime(present, past)
  const places = periods(present.assetId, past, 'assetId')
  const storedDown = timesOfImpact(stored, 'down')
  const storedDegraded = timesOfImpact(stored, 'degraded')
  const down = correction.downtime
    ? timesByAsset(fromFirstAsset(places), downtimeOf(correction.downtime, unresolved, present))
    : storedDown
  // When the severity impaired each asset, whether or not it was down as well.
  const severityTimes = impairingTimes(present, past, correction.severity)
  const impairing = timesByAsset(places, intersection(unresolved, severityTimes))
  const allDown = [...down.values()].flat()

  function degradedTimes(assetId: number): Interval[] {
    const impaired = impairing.get(assetId) ?? []
    if (correction.severity) return subtract(impaired, allDown)
    const noLongerDown = subtract(storedDown.get(assetId) ?? [], allDown)
    return union([
      ...subtract(storedDegraded.get(assetId) ?? [], allDown),
      ...intersection(noLongerDown, impaired),
    ])
  }

  const assets = new Set([...stored.map(({ assetId }) => assetId), ...down.keys(), ...impairing.keys()])
  return [...assets]
    .flatMap((assetId) => [
      ...(down.get(assetId) ?? []).map((time) => ({ ...time, assetId, impact: 'down' as const })),
      ...degradedTimes(assetId).map((time) => ({ ...time, assetId, impact: 'degraded' as const })),
    ])
    .sort((a, b) => a.start - b.start)
}

/** When the severity was one that impairs an asset. `always`: the present one counts always. */
function impairingTimes(present: Present, past: readonly PastChange[], always: boolean): Interval[] {
  const severities: Period<Severity>[] = always
    ? [{ start: -Infinity, end: Infinity, value: present.severity }]
    : periods(present.severity, past, 'severity')
  return severities.filter(({ value }) => coloursAsset(value))
}

/** From the report to the resolution, without the time from a resolution to a new breakdown. */
function unresolvedTime({ createdAt, resolvedAt }: Present, past: readonly PastChange[]): Interval[] {
  const closed = past.flatMap(({ at, action, changes: { resolvedAt: change } }) => {
    if (!change || change.before === null || change.after !== null) return []
    const start = Date.parse(String(change.before))
    const continued = action === 'incident.reopened' && neverRepaired(new Date(start), new Date(at))
    return continued ? [] : [{ start, end: at }]
  })
  return subtract([{ start: createdAt, end: resolvedAt ?? Infinity }], closed)
}

/** The unresolved time within the downtime, which may start earlier or end later than that. */
function downtimeOf(
  { isDowntime, startedAt, endedAt }: Downtime,
  unresolved: readonly Interval[],
  { createdAt, resolvedAt }: Present,
): Interval[] {
  if (!isDowntime) return []
  const start = startedAt ?? createdAt
  const end = endedAt ?? Infinity
  const before = { start, end: createdAt }
  const after = { start: resolvedAt ?? Infinity, end: endedAt ?? -Infinity }
  return clip(union([...unresolved, before, after]), start, end)
}

/**
 * A field's values over all time, by the changes of it, newest first; one that spoke of the past
 * counts for all of it.
 */
function periods<T>(present: T, past: readonly PastChange[], field: string): Period<T>[] {
  const segments: Period<T>[] = []
  let [end, value] = [Infinity, present]
  for (const { at, changes } of past) {
    const change = changes[field]
    if (!change) continue
    if (field === 'severity' && changes.retroactive) break
    if (at < end) segments.push({ start: at, end, value })
    end = Math.min(at, end)
    value = change.before as T
  }
  return [...segments, { start: -Infinity, end, value }]
}

/** The time before the incident had an asset counts for its first one. */
function fromFirstAsset(places: readonly Period<number | null>[]): Period<number | null>[] {
  const first = places.findLastIndex(({ value }) => value !== null)
  return places.slice(0, first + 1).map((place, i) => (i === first ? { ...place, start: -Infinity } : place))
}

/** These times, each under the asset that the incident had then. */
function timesByAsset(places: readonly Period<number | null>[], times: readonly Interval[]): TimesByAsset {
  const byAsset: TimesByAsset = new Map()
  for (const { value: assetId, start, end } of places) {
    if (assetId === null) continue
    const earlier = byAsset.get(assetId) ?? []
    byAsset.set(assetId, union([...earlier, ...clip(times, start, end)]))
  }
  return byAsset
}

/** When each asset had this impact. */
function timesOfImpact(spans: readonly PlacedSpan[], kind: ImpactSpan['impact']): TimesByAsset {
  const byAsset: TimesByAsset = new Map()
  for (const { assetId, impact, start, end } of spans) {
    if (impact !== kind) continue
    byAsset.set(assetId, [...(byAsset.get(assetId) ?? []), { start, end }])
  }
  return byAsset
}

/** The time that is in both. */
function intersection(some: readonly Interval[], others: readonly Interval[]): Interval[] {
  return union(others).flatMap(({ start, end }) => clip(some, start, end))
}
