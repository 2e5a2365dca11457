import type { Bind, EffectStatement, Subject } from '../../platform/db/statement.js'
import { type NotifiedEvent, settingOf } from '../../vocabulary/notifications.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { type Gather, outboxRows, rowsAboutMany } from '../emails/gathering.js'
import { isFollowedByMail } from './mailEvent.js'
import { staffWantingSql, wantsSql } from './notification.js'

/**
 * False for a sender's flood: it is stored and fires webhooks, but sends no mail and no push
 * (decision 4.5).
 */
export const notifies = (details: string) => `${details} ->> 'quiet' is null`

/** SQL: the user is not the one who acted; of a comment that came by mail, not its author. */
export const isNotActor = (bind: Bind, details: string, { id }: Actor) =>
  `u.id is distinct from coalesce(${bind(id)}::integer, (${details} ->> 'authorId')::integer)`

/** SQL: what the outbox keeps of the details; nothing that says who wrote. */
export const withoutAuthor = (details: string) => `${details} - '{authorId,mailFollowerId}'::text[]`

/** One mail to each active member of staff who wants it, except the actor. */
export function mailsToStaff(event: NotifiedEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) =>
    outboxRows(
      { kind: 'mail', event, incidentId: id, payload: withoutAuthor(details), now },
      `from ${from}, users u
       where ${staffWantingSql('u', settingOf[event].mail)} and ${isNotActor(bind, details, actor)} and ${notifies(details)}`,
    )
}

/** As `mailsToStaff`, but not to those who are told the same as followers. */
export function mailsToOtherStaff(event: NotifiedEvent, asFollowers: NotifiedEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) =>
    outboxRows(
      { kind: 'mail', event, incidentId: id, payload: withoutAuthor(details), now },
      `from ${from}, users u
       where ${staffWantingSql('u', settingOf[event].mail)} and ${isNotActor(bind, details, actor)}
         and not (${followsSql(id)} and ${wantsSql('u', settingOf[asFollowers].mail)})`,
    )
}

/** SQL: the user follows the incident. */
export const followsSql = (id: string) =>
  `exists (select from followers f where f.incident_id = ${id} and f.user_id = u.id)`

/**
 * One mail to each active follower who wants it, except the actor. Never to the Mobile Reporter,
 * the shared account of the app: it has no mailbox.
 */
export function mailsToFollowers(event: NotifiedEvent): EffectStatement {
  return (bind, subject, actor) => {
    const { from, id, details, now } = subject
    const gather = gatherMails(event, subject, actor)
    return outboxRows(
      { kind: 'mail', event, incidentId: 'f.incident_id', payload: withoutAuthor(details), now, ...gather },
      `from ${from}, followers f, users u
       where f.incident_id = ${id} and u.id = f.user_id and u.active and not u.is_mobile_reporter
         and ${wantsSql('u', settingOf[event].mail)} and ${isNotActor(bind, details, actor)} and ${notifies(details)}`,
    )
  }
}

function gatherMails(event: NotifiedEvent, subject: Subject, { inBulk }: Actor): { gather?: Gather } {
  if (event === 'incident.commented')
    return { gather: { key: `'mail:${event}:' || ${subject.id} || ':' || u.id`, pace: 'calm' } }
  if (event === 'incident.merged') return { gather: { key: `'mail:${event}:' || u.id`, pace: 'calm' } }
  return inBulk ? { gather: { key: `'mail:${event}:' || u.id`, pace: 'brisk' } } : {}
}

/** One mail to each follower for all incidents of the statement; else as `mailsToFollowers`. */
export function mailsAboutMany(event: NotifiedEvent): EffectStatement {
  return (bind, { from, id, details, now }, actor) =>
    rowsAboutMany(
      { kind: 'mail', event, incidentId: id, payload: details, now },
      `from ${from}, followers f, users u
       where f.incident_id = ${id} and u.id = f.user_id and u.active and not u.is_mobile_reporter
         and ${wantsSql('u', settingOf[event].mail)} and ${isNotActor(bind, details, actor)}`,
      'u.id',
    )
}

/**
 * One row for everybody who follows the incident without an account, where somebody does: spread
 * into mails after the commit. `details.mailFollowerId` is who did it, and is not told.
 */
export function mailsToAddresses(event: NotifiedEvent): EffectStatement {
  return (_bind, { from, id, details, now }) => `
    insert into mail_events (event, incident_id, payload, created_at)
    select '${event}', ${id}, ${details} - 'authorId'::text, ${now} from ${from}
    where ${isFollowedByMail(id)} and ${notifies(details)}`
}
