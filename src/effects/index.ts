import type { EventName } from '../domain/events.js'
import type { Part } from './statement.js'
import { webhookDeliveries } from './webhooks.js'

/** Who is told what: every event, turned into outbox rows of its own transaction. */
export const effects: Record<EventName, Part[]> = {
  'incident.created': [webhookDeliveries('incident.created')],
  'incident.status_changed': [webhookDeliveries('incident.status_changed')],
  'incident.sla_breached': [webhookDeliveries('incident.sla_breached')],
  'incident.merged': [webhookDeliveries('incident.merged')],
  'asset.status_changed': [webhookDeliveries('asset.status_changed')],
}
