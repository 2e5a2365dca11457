import { config } from '../config.js'
import { settingOf, type ToldEvent } from '../domain/accounts/notifications.js'
import { wantsSql } from '../models/accounts/notification.js'
import { isAloud } from './mails.js'
import type { EffectStatement } from './statement.js'

/**
 * One push per device of each active follower who wants it, except the actor (spec §4 rule 4): a row per
 * device, so that a retry does not ring the other phones. None unless PUSH_ENABLED.
 */
export function pushesToFollowers(event: ToldEvent): EffectStatement[] {
  return config.push.enabled ? [pushes(event)] : []
}

function pushes(event: ToldEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) => `
    insert into outbox (kind, event, recipient_id, incident_id, payload, created_at, next_attempt_at)
    select 'push', '${event}', u.id, f.incident_id, ${details} || jsonb_build_object('deviceId', d.id), ${now}, ${now}
    from ${from}, followers f, users u, devices d
    where f.incident_id = ${id} and u.id = f.user_id and d.user_id = u.id and u.active
      and ${wantsSql('u', settingOf[event].push)} and u.id is distinct from ${bind(actor.id)}::integer
      and ${isAloud(details)}`
}
