import type { ToldEvent } from '../domain/accounts/notifications.js'
import { type EventName, eventNames } from '../domain/webhooks/events.js'
import { mailsToFollowers, mailsToStaff } from './mails.js'
import { pushesToFollowers } from './pushes.js'
import type { EffectStatement } from './statement.js'
import { webhookDeliveries } from './webhooks.js'

/**
 * Who is told of what besides the subscriptions, which are of every event.
 *
 * | event          | mail                       | push                    |
 * |----------------|----------------------------|-------------------------|
 * | created        | staff                      | followers               |
 * | status changed | followers                  | followers               |
 * | sla breached   | followers                  | followers               |
 * | merged         | followers of the duplicate | the same                |
 *
 * Never whoever did it, nobody inactive, nobody who turned it off (`domain/accounts/notifications.ts`). A verification is a
 * change of status. The sweep's one mail per run to staff is the sweep's own, as the digest is the digest's.
 */
const told: Record<ToldEvent, EffectStatement[]> = {
  'incident.created': [mailsToStaff('incident.created'), ...pushesToFollowers('incident.created')],
  'incident.status_changed': toFollowers('incident.status_changed'),
  'incident.sla_breached': toFollowers('incident.sla_breached'),
  'incident.merged': toFollowers('incident.merged'),
}

function toFollowers(event: ToldEvent): EffectStatement[] {
  return [mailsToFollowers(event), ...pushesToFollowers(event)]
}

/** Every event, turned into outbox rows of its own transaction (spec §4 rule 4, §6 rule 7). */
export const effects = Object.fromEntries(
  eventNames.map((event) => [
    event,
    [...webhookDeliveries(event), ...((told as Partial<Record<EventName, EffectStatement[]>>)[event] ?? [])],
  ]),
) as Record<EventName, EffectStatement[]>
