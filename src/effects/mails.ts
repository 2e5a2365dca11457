import { settingOf, type ToldEvent } from '../domain/accounts/notifications.js'
import { staffWantingSql, wantsSql } from '../models/accounts/notification.js'
import { isFollowedByMail } from '../models/mail/mailEvent.js'
import type { EffectStatement } from './statement.js'

/** False for a sender's flood: it is stored and fires webhooks, but sends no mail and no push (decision 4.5). */
export const isAloud = (details: string) => `${details} ->> 'quiet' is null`

/** One mail to each active member of staff who wants it, except the actor. */
export function mailsToStaff(event: ToldEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) => `
    insert into outbox (kind, event, recipient_id, incident_id, payload, created_at, next_attempt_at)
    select 'mail', '${event}', u.id, ${id}, ${details}, ${now}, ${now}
    from ${from}, users u
    where ${staffWantingSql('u', settingOf[event].mail)} and u.id is distinct from ${bind(actor.id)}::integer
      and ${isAloud(details)}`
}

/**
 * One mail to each active follower who wants it, except the actor. Never to the Mobile Reporter, the shared
 * account of the app: it has no mailbox.
 */
export function mailsToFollowers(event: ToldEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) => `
    insert into outbox (kind, event, recipient_id, incident_id, payload, created_at, next_attempt_at)
    select 'mail', '${event}', u.id, f.incident_id, ${details}, ${now}, ${now}
    from ${from}, followers f, users u
    where f.incident_id = ${id} and u.id = f.user_id and u.active and not u.is_mobile_reporter
      and ${wantsSql('u', settingOf[event].mail)} and u.id is distinct from ${bind(actor.id)}::integer
      and ${isAloud(details)}`
}

/**
 * One row for everybody who follows the incident without an account, where somebody does: spread into mails after
 * the commit. `details.mailFollowerId` is who did it, and is not told.
 */
export function mailsToAddresses(event: ToldEvent): EffectStatement {
  return (_bind, { from, id, details, now }) => `
    insert into mail_events (event, incident_id, payload, created_at)
    select '${event}', ${id}, ${details}, ${now} from ${from}
    where ${isFollowedByMail(id)} and ${isAloud(details)}`
}
