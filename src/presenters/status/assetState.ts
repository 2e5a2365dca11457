import { coloursAsset } from '../../domain/incidents/severity.js'
import { occurrences } from '../../domain/maintenance/recurrence.js'
import { type AssetStatus, liveStatus } from '../../domain/status/assetStatus.js'
import type { Interval } from '../../domain/status/intervals.js'
import { assetHistory } from '../../domain/status/uptime.js'
import { limits } from '../../domain/system/limits.js'
import type { Days } from '../../domain/time/calendar.js'
import type { AssetRow, IncidentRow, WindowRow } from '../../models/status/status.js'
import { causeOf, causesOf, nextExpected } from '../incidents/cause.js'

const day = 86_400_000
const horizon = limits.maintenanceHorizonDays * day

/** An asset with its derived state at one instant; times in epoch ms, uptimes in hundredths of a percent. */
export type AssetState = AssetRow & {
  status: AssetStatus
  uptime30: number
  uptime90: number
  days: Uint8Array
  /** Maintenance in progress or starting within 30 days, soonest first. */
  upcoming: (Interval & { title: string })[]
  /** Unresolved incidents, newest first. */
  open: IncidentRow[]
  /** The incident that makes it down or degraded; `late`: its expected end has passed. */
  cause: IncidentRow | null
  late: boolean
  validUntil: number
}

/** Derives one asset's state (decisions 3.1–3.4) from its own incidents and windows. */
export function assetState(
  asset: AssetRow,
  incidents: readonly IncidentRow[],
  windows: readonly WindowRow[],
  { zone, days, now }: { zone: string; days: Days; now: number },
): AssetState {
  const planned = windows
    .flatMap((window) => expanded(window, zone, days.bounds[0]! - 2 * day, now + horizon + 2 * day))
    .sort((a, b) => a.start - b.start)
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null).reverse()
  const history = assetHistory(times(incidents, planned), days, now)
  const inMaintenance = planned.some(({ start, end }) => start <= now && now < end)
  const status = liveStatus(open, inMaintenance)
  const cause = causeOf(status, open)
  return {
    ...asset,
    status,
    uptime30: history.uptime30,
    uptime90: history.uptime90,
    days: history.days,
    upcoming: planned.filter(({ start, end }) => end > now && start < now + horizon),
    open,
    cause,
    late: (cause?.expectedBackAt ?? Infinity) <= now,
    validUntil: Math.min(history.validUntil, nextToCome(planned, now), nextExpected(open, now)),
  }
}

/** When the asset's present state began (epoch ms); null while it works. */
export function inStateSince({
  status,
  open,
  upcoming,
}: Pick<AssetState, 'status' | 'open' | 'upcoming'>): number | null {
  if (status === 'operational') return null
  if (status === 'maintenance') return upcoming[0]?.start ?? null
  return Math.min(
    ...causesOf(status, open).map((cause) => (status === 'down' ? cause.downAt : cause.createdAt)),
  )
}

function times(incidents: readonly IncidentRow[], maintenance: readonly Interval[]) {
  const until = ({ resolvedAt }: IncidentRow) => resolvedAt ?? Infinity
  return {
    downtime: incidents
      .filter(({ isDowntime }) => isDowntime)
      .map((i) => ({ start: i.downAt, end: until(i) })),
    degraded: incidents
      .filter(({ severity }) => coloursAsset(severity))
      .map((i) => ({ start: i.createdAt, end: until(i) })),
    maintenance,
  }
}

function expanded(window: WindowRow, zone: string, from: number, to: number) {
  return occurrences(window, zone, from, to).map((occurrence) => ({ ...occurrence, title: window.title }))
}

/**
 * When the next window comes within the horizon (epoch ms); windows not expanded yet follow after midnight.
 */
function nextToCome(planned: readonly Interval[], now: number): number {
  const next = planned.find(({ start }) => start >= now + horizon)
  return next ? next.start - horizon : Infinity
}
