import type { NotifiedEvent } from '../../notifications/audience.js'
import type { Reader } from '../../notifications/emails/reader.js'
import { type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import type { IncidentContext } from './incidentContext.js'
import { severityPayload, statusPayload } from './payloads.js'

type StatedEvent = NotifiedEvent | 'incident.unmerged'

/** What happened to the incident, in a few words. */
export function stateOf(
  { t, h }: Reader,
  { row, closedFor }: IncidentContext,
  message: OutboxMessage,
): string {
  const { state } = t.emails
  switch (message.event as StatedEvent) {
    case 'incident.created':
      return state.created(t.severity[row.severity])
    case 'incident.sla_breached': {
      const { from, to } = severityPayload(message)
      return from === to ? state.waiting : state.raised(t.severity[to])
    }
    case 'incident.merged':
      return state.merged
    case 'incident.unmerged':
      return state.unmerged
    case 'incident.commented':
      return state.comments(partsOf(message).length)
    case 'incident.status_changed':
    case 'incident.reopened': {
      const { to, isVerification, isDismissal } = statusPayload(message, row)
      if (isDismissal) return t.protection.notAReport
      return h.status(to, closedFor, isVerification && to === 'in_progress')
    }
  }
}
