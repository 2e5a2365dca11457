import type { Reader } from '../../notifications/emails/reader.js'
import { type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import type { NotifiedEvent } from '../../vocabulary/notifications.js'
import type { Severity } from '../../vocabulary/severity.js'
import type { IncidentContext } from './incidentContext.js'

type StatedEvent = NotifiedEvent | 'incident.unmerged'

/** What happened to the incident, in a few words. */
export function stateOf(
  { t, h }: Reader,
  { row, closedFor }: IncidentContext,
  message: OutboxMessage,
): string {
  const { event, payload } = message
  const { state } = t.mails
  const to = (payload.to ?? row.status) as Status
  const changed = () => {
    if (payload.dismissed === true) return t.protection.notAReport
    return h.status(to, closedFor, payload.verification === true && to === 'in_progress')
  }
  const states: Record<StatedEvent, () => string> = {
    'incident.created': () => state.created(t.severity[row.severity]),
    'incident.status_changed': changed,
    'incident.reopened': changed,
    'incident.sla_breached': () =>
      payload.from === payload.to ? state.waiting : state.raised(t.severity[payload.to as Severity]),
    'incident.merged': () => state.merged,
    'incident.unmerged': () => state.unmerged,
    'incident.commented': () => state.comments(partsOf(message).length),
  }
  return states[event as StatedEvent]()
}
