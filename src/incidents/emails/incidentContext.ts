import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { ClosingReason } from '../../vocabulary/lifecycle.js'
import { publicViewer } from '../../vocabulary/people/actor.js'
import type { ListedIncident } from '../model/entity.js'
import { type PresentedIncident, presentIncident } from '../model/json/incidentJson.js'
import { findListedIncident } from '../model/listedIncidents.js'
import { closingReasonOf } from '../model/timeline/timelineEntries.js'

/**
 * `incident`: the public view, also for staff, as emails get forwarded (decision 7.5). `survivor`:
 * itself, or what it was merged into. `row` holds hidden names: never print those.
 */
export type IncidentContext = {
  row: ListedIncident
  incident: PresentedIncident
  survivor: ListedIncident
  /** Why the update in this message closed the incident, even if it was reopened since. */
  closedFor: ClosingReason | null
}

/** Reads the context; null when there is no such incident. */
export async function incidentContext({
  incidentId,
  payload,
}: OutboxMessage): Promise<IncidentContext | null> {
  const row = incidentId === null ? null : await findListedIncident(incidentId)
  if (!row) return null
  const survivor = row.mergedIntoId === null ? row : await findListedIncident(row.mergedIntoId)
  const closedFor = await closingReasonOf(row.id, payload.updateId)
  return { row, incident: presentIncident(row, publicViewer), survivor: survivor ?? row, closedFor }
}

/**
 * Whether what the message reports was undone meanwhile (a merge, its undoing, a dismissal): it is
 * not sent then.
 */
export function isUndone({ row }: IncidentContext, { event, payload }: OutboxMessage): boolean {
  return (
    (payload.dismissed === true && row.dismissedAt === null) ||
    (event === 'incident.merged' && row.mergedIntoId === null) ||
    (event === 'incident.unmerged' && row.mergedIntoId !== null)
  )
}
