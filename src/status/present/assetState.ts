import type { AssetStatus, ImpactSpan } from '../../vocabulary/assetStatus.js'
import { limits } from '../../vocabulary/limits.js'
import { DAY, type Days } from '../../vocabulary/time/calendar.js'
import type { Interval } from '../../vocabulary/time/intervals.js'
import { datedOccurrences, type PlannedDate, type Recurrence } from '../../vocabulary/time/recurrence.js'
import type { PlannedWindow } from '../queries/plannedWindows.js'
import type { AssetRow, IncidentRow } from '../queries/status.js'
import { type DerivedStatus, deriveStatus } from '../rules/derivedStatus.js'
import { unrecordedDays } from './dayBar.js'

/** The unresolved incidents that make an asset down or degraded (decision 3.1); else none. */
function causesOf(status: AssetStatus, open: readonly IncidentRow[]): IncidentRow[] {
  return open.filter(({ impact }) => impact === status)
}

/**
 * The main cause: the one expected to last longest, because the asset is not back before; else one
 * with a reason, else the oldest.
 */
function causeOf(status: AssetStatus, open: readonly IncidentRow[]): IncidentRow | null {
  const causes = causesOf(status, open).toSorted(
    (a, b) =>
      (b.expectedBackAt ?? 0) - (a.expectedBackAt ?? 0) ||
      Number(b.statusReason !== null) - Number(a.statusReason !== null) ||
      a.id - b.id,
  )
  return causes[0] ?? null
}

const unusable = new Set(['high', 'critical'])

/**
 * The reports that no one of the office has seen (decision 7.17), without cosmetic ones, which say
 * that it works. None where the office knows already that it is as bad as they say.
 */
function unconfirmed(
  status: AssetStatus,
  open: readonly IncidentRow[],
): Pick<AssetState, 'unconfirmed' | 'unconfirmedAs'> {
  const isKnown = causesOf(status, open).some(({ unseen }) => !unseen)
  const reports = open
    .filter(({ unseen, impact, severity }) => unseen && (impact !== null || unusable.has(severity)))
    .filter(({ severity }) => !isKnown || (status !== 'down' && unusable.has(severity)))
  const isUnusable = reports.some(({ severity }) => unusable.has(severity))
  const worst = isUnusable ? 'unusable' : 'faulty'
  return {
    unconfirmed: reports.map(({ id }) => id),
    unconfirmedAs: reports.length > 0 ? worst : null,
  }
}

/** The next instant (epoch ms) when an open incident misses its expected end, or Infinity. */
function nextExpected(open: readonly IncidentRow[], now: number): number {
  return Math.min(
    ...open.map(({ expectedBackAt }) => expectedBackAt ?? Infinity).filter((at) => at > now),
    Infinity,
  )
}

const horizon = limits.maintenanceHorizonDays * DAY

/** An asset and its state at one instant; times in epoch ms, uptimes in hundredths of a percent. */
export type AssetState = AssetRow &
  DerivedStatus & {
    /** Maintenance in progress or starting within 30 days, soonest first. */
    upcoming: Occurrence[]
    /** Unresolved incidents, newest first. */
    open: IncidentRow[]
    /** How long its repairs usually take, in ms; null where no one can say, or it took longer. */
    usualRepair: number | null
    /** How many of the shown days ended before anything was recorded (decision 9.20). */
    unrecorded: number
    /** The incident that makes it down or degraded; `late`: its expected end has passed. */
    cause: IncidentRow | null
    late: boolean
    /** Incidents that no one of the office has seen (decision 7.17), and the worst they say. */
    unconfirmed: number[]
    unconfirmedAs: 'unusable' | 'faulty' | null
  }

/** Planned work on an asset at one time, and the series it belongs to; `knownSince` in epoch ms. */
export type Occurrence = PlannedDate & {
  windowId: number
  title: string
  recurrence: Recurrence
  knownSince: number
}

/** One asset's state (decisions 3.1–3.4) from its own rows. */
export function assetState(
  asset: AssetRow,
  { impacts, incidents, windows, usualRepair }: OwnRows,
  { zone, days, now }: { zone: string; days: Days; now: number },
): AssetState {
  const planned = windows
    .flatMap((window) => expanded(window, zone, days.bounds[0]! - 2 * DAY, now + horizon + 2 * DAY))
    .sort((a, b) => a.start - b.start)
  const open = incidents.toReversed()
  const derived = deriveStatus(
    impacts,
    { maintenance: planned, recordedSince: asset.recordedSince },
    days,
    now,
  )
  const cause = causeOf(derived.status, open)
  const usualEnd = usualRepair !== null && derived.since !== null ? derived.since + usualRepair : 0
  return {
    ...asset,
    ...derived,
    upcoming: planned.filter(({ start, end }) => end > now && start < now + horizon),
    open,
    cause,
    usualRepair: cause && usualEnd > now ? usualRepair : null,
    unrecorded: unrecordedDays(days.bounds, asset.recordedSince),
    late: (cause?.expectedBackAt ?? Infinity) <= now,
    ...unconfirmed(derived.status, open),
    validUntil: Math.min(
      derived.validUntil,
      nextToCome(planned, now),
      nextExpected(open, now),
      usualEnd > now ? usualEnd : Infinity,
    ),
  }
}

/** The rows of one asset; incidents are unresolved, oldest first. */
type OwnRows = {
  impacts: readonly ImpactSpan[]
  incidents: readonly IncidentRow[]
  windows: readonly PlannedWindow[]
  usualRepair: number | null
}

function expanded(window: PlannedWindow, zone: string, from: number, to: number): Occurrence[] {
  const { id: windowId, title, recurrence, knownSince } = window
  return datedOccurrences(window, zone, from, to).map((times) => ({
    ...times,
    windowId,
    title,
    recurrence,
    knownSince,
  }))
}

/** When the next window comes within the horizon (epoch ms); later ones are read after midnight. */
function nextToCome(planned: readonly Interval[], now: number): number {
  const next = planned.find(({ start }) => start >= now + horizon)
  return next ? next.start - horizon : Infinity
}
