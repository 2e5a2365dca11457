import type { ToldEvent } from '../domain/accounts/notifications.js'
import type { Status } from '../domain/incidents/lifecycle.js'
import type { Severity } from '../domain/incidents/severity.js'
import type { OutboxMessage } from '../domain/mail/delivery.js'
import { type IncidentContext, incidentContext } from './incidentContext.js'
import type { Reader } from './reader.js'

/** A push before it has a device: the lock screen's text, and data to open the right place in the app. */
export type Push = {
  title: string
  body: string
  /** Values are strings, because the messaging service accepts nothing else. */
  data: { incidentId: string; event: string }
  /** A newer push of the same incident replaces an unread one. */
  collapseKey: string
}

/** The push of an event. It names nobody: others can read a lock screen. Null without such an incident. */
export async function pushOf(reader: Reader, outgoing: OutboxMessage): Promise<Push | null> {
  const story = await incidentContext(outgoing)
  if (!story) return null
  const { t } = reader
  const { row, survivor } = story
  return {
    title: t.mails.push.title(stateOf(reader, story, outgoing), row.id),
    body: row.title,
    data: { incidentId: String(survivor.id), event: outgoing.event },
    collapseKey: `incident-${row.id}`,
  }
}

function stateOf({ t }: Reader, { row }: IncidentContext, { event, payload }: OutboxMessage): string {
  const { state } = t.mails
  const to = (payload.to ?? row.status) as Status
  const states: Record<ToldEvent, () => string> = {
    'incident.created': () => state.created(t.severity[row.severity]),
    'incident.status_changed': () =>
      payload.verification === true && to === 'in_progress' ? state.reopened : t.status[to],
    'incident.sla_breached': () =>
      payload.from === payload.to ? state.waiting : state.raised(t.severity[payload.to as Severity]),
    'incident.merged': () => state.merged,
  }
  return states[event as ToldEvent]()
}
