import type { Viewer } from '../../domain/accounts/actor.js'
import { acknowledgeBy, type SlaTargets } from '../../domain/incidents/severity.js'
import { occurrences } from '../../domain/maintenance/recurrence.js'
import { lastDays } from '../../domain/time/calendar.js'
import {
  type Counted,
  countedUpTo,
  type FailedDeliveries,
  type windowsAhead,
} from '../../models/incidents/desk.js'
import type { ListedIncident } from '../../models/incidents/incident.js'
import { type PresentedIncident, presentIncident } from './incident.js'

/** An incident on the desk: `acknowledgeBy` while the office has not answered. */
export type DeskIncident = PresentedIncident & { acknowledgeBy: string | null }

/** A list of the desk; `total` is exact unless `more` says that there are even more. */
export type DeskList = { total: number; more: boolean; rows: DeskIncident[] }

/** A list of the desk as JSON and as its page shows it, real names included: only staff get here. */
export function presentDeskList(
  { total, rows }: Counted<ListedIncident>,
  targets: SlaTargets,
  viewer: Viewer,
): DeskList {
  return {
    total: Math.min(total, countedUpTo),
    more: total > countedUpTo,
    rows: rows.map((row) => ({
      ...presentIncident(row, viewer),
      acknowledgeBy: row.acknowledgedAt
        ? null
        : acknowledgeBy(row.createdAt, row.severity, targets).toISOString(),
    })),
  }
}

/** What did not get through, as the desk says it. */
export function presentFailed({ messages, receivers }: FailedDeliveries) {
  return {
    messages,
    receivers: receivers.map(({ id, url, lastStatus, lastFiredAt }) => ({
      id,
      url,
      lastStatus,
      lastFiredAt: lastFiredAt.toISOString(),
    })),
  }
}

type Windows = Awaited<ReturnType<typeof windowsAhead>>

/** Planned work that begins on this calendar day of the property, soonest first. */
export function startingToday(windows: Windows, zone: string, now: number) {
  const { bounds } = lastDays(zone, now, 1)
  const [start, end] = bounds as [number, number]
  return windows
    .flatMap((window) =>
      occurrences(window, zone, start, end)
        .filter((occurrence) => occurrence.start >= start && occurrence.start < end)
        .map((occurrence) => ({
          id: window.id,
          assetId: window.assetId,
          assetName: window.assetName,
          title: window.title,
          startsAt: new Date(occurrence.start).toISOString(),
          endsAt: new Date(occurrence.end).toISOString(),
        })),
    )
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt))
}
