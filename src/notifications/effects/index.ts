import type { EffectStatement } from '../../platform/db/statement.js'
import { type EventName, eventNames, type InternalEvent } from '../../vocabulary/events.js'
import type { NotifiedEvent } from '../../vocabulary/notifications.js'
import { assetNews } from './assetNews.js'
import {
  mailsAboutMany,
  mailsToAddresses,
  mailsToFollowers,
  mailsToOtherStaff,
  mailsToStaff,
} from './mails.js'
import { pushesAboutMany, pushesOfReport, pushesToFollowers, pushesToOtherStaff } from './pushes.js'
import { webhookDeliveries } from './webhooks.js'

/**
 * Mails and pushes per event; webhooks get the events that `eventNames` lists. `merged` goes to the
 * duplicate's followers. Never to inactive users, those who turned it off, or the actor, but for
 * decision 4.10.
 */
const told: Record<NotifiedEvent | 'asset.status_changed', EffectStatement[]> = {
  'incident.created': [mailsToStaff('incident.created'), ...pushesOfReport('incident.created')],
  'incident.status_changed': toFollowers('incident.status_changed'),
  'incident.sla_breached': [
    mailsAboutMany('incident.sla_breached'),
    mailsToAddresses('incident.sla_breached'),
    ...pushesAboutMany('incident.sla_breached'),
  ],
  'incident.merged': toFollowers('incident.merged'),
  'incident.commented': toFollowers('incident.commented'),
  'incident.reopened': [
    mailsToOtherStaff('incident.reopened', 'incident.status_changed'),
    ...pushesToOtherStaff('incident.reopened', 'incident.status_changed'),
  ],
  'asset.status_changed': [assetNews],
}

function toFollowers(event: NotifiedEvent): EffectStatement[] {
  return [mailsToFollowers(event), mailsToAddresses(event), ...pushesToFollowers(event)]
}

const webhooks = Object.fromEntries(eventNames.map((event) => [event, webhookDeliveries(event)]))

/**
 * The effects of every event, as outbox rows in the event's transaction (spec §4 rule 4, §6 rule
 * 7).
 */
export const effects = Object.fromEntries(
  [...new Set([...eventNames, ...Object.keys(told)])].map((event) => [
    event,
    [...(webhooks[event] ?? []), ...((told as Record<string, EffectStatement[]>)[event] ?? [])],
  ]),
) as Record<EventName | InternalEvent, EffectStatement[]>
