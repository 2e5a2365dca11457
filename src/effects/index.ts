import type { EventName } from '../domain/webhooks/events.js'
import { mailsToFollowers, mailsToStaff } from './mails.js'
import { pushesToFollowers } from './pushes.js'
import type { Part } from './statement.js'
import { webhookDeliveries } from './webhooks.js'

/**
 * Who is told what: every event, turned into outbox rows of its own transaction (spec §4 rule 4, §6 rule 7).
 *
 * | event          | subscriptions | mail                       | push                    |
 * |----------------|---------------|----------------------------|-------------------------|
 * | created        | webhook       | staff                      | followers               |
 * | status changed | webhook       | followers                  | followers               |
 * | sla breached   | webhook       | followers                  | followers               |
 * | merged         | webhook       | followers of the duplicate | the same                |
 * | asset status   | webhook       | nobody                     | nobody                  |
 *
 * Never whoever did it, nobody inactive, nobody who turned it off (`domain/accounts/notifications.ts`). A verification is a
 * change of status. The sweep's one mail per run to staff is the sweep's own, as the digest is the digest's.
 */
export const effects: Record<EventName, Part[]> = {
  'incident.created': [
    ...webhookDeliveries('incident.created'),
    mailsToStaff('incident.created'),
    ...pushesToFollowers('incident.created'),
  ],
  'incident.status_changed': [
    ...webhookDeliveries('incident.status_changed'),
    mailsToFollowers('incident.status_changed'),
    ...pushesToFollowers('incident.status_changed'),
  ],
  'incident.sla_breached': [
    ...webhookDeliveries('incident.sla_breached'),
    mailsToFollowers('incident.sla_breached'),
    ...pushesToFollowers('incident.sla_breached'),
  ],
  'incident.merged': [
    ...webhookDeliveries('incident.merged'),
    mailsToFollowers('incident.merged'),
    ...pushesToFollowers('incident.merged'),
  ],
  'asset.status_changed': webhookDeliveries('asset.status_changed'),
}
