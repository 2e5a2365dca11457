import type { ToldEvent } from '../domain/accounts/notifications.js'
import { type EventName, eventNames } from '../domain/webhooks/events.js'
import { mailsToAddresses, mailsToFollowers, mailsToStaff } from './mails.js'
import { pushesToFollowers } from './pushes.js'
import type { EffectStatement } from './statement.js'
import { webhookDeliveries } from './webhooks.js'

/**
 * Mails and pushes per event; webhooks get every event. `merged` goes to the duplicate's followers. Never to
 * the actor, inactive users, or users who turned it off (`domain/accounts/notifications.ts`).
 */
const told: Record<ToldEvent, EffectStatement[]> = {
  'incident.created': [mailsToStaff('incident.created'), ...pushesToFollowers('incident.created')],
  'incident.status_changed': toFollowers('incident.status_changed'),
  'incident.sla_breached': toFollowers('incident.sla_breached'),
  'incident.merged': toFollowers('incident.merged'),
}

function toFollowers(event: ToldEvent): EffectStatement[] {
  return [mailsToFollowers(event), mailsToAddresses(event), ...pushesToFollowers(event)]
}

/** The effects of every event, as outbox rows in the event's transaction (spec §4 rule 4, §6 rule 7). */
export const effects = Object.fromEntries(
  eventNames.map((event) => [
    event,
    [...webhookDeliveries(event), ...((told as Partial<Record<EventName, EffectStatement[]>>)[event] ?? [])],
  ]),
) as Record<EventName, EffectStatement[]>
