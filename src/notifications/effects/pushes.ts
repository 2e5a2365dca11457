import type { Bind, EffectStatement, Subject } from '../../platform/db/statement.js'
import { pushedTo } from '../../platform/ops/config.js'
import { type NotifiedEvent, settingOf } from '../../vocabulary/notifications.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { type Gather, outboxRows, rowsAboutMany } from '../emails/gathering.js'
import { followsSql, isNotActor, notifies, staffWantingSql, wantsSql, withoutAuthor } from './emails.js'

/**
 * One push per device of each active user of `whom` who wants it: a row per device, so that a retry
 * does not ring the other devices. Only to the kinds of device that are configured.
 */
function pushes(
  event: NotifiedEvent,
  whom: (bind: Bind, subject: Subject, actor: Actor) => string,
): EffectStatement[] {
  if (pushedTo().length === 0) return []
  return [
    (bind, subject, actor) => {
      const { from, id, details, now } = subject
      const payload = `(${withoutAuthor(details)}) || jsonb_build_object('deviceId', d.id)`
      const gather = gatherPushes(event, subject, actor)
      return outboxRows(
        { kind: 'push', event, incidentId: id, payload, now, ...gather },
        `from ${from}, users u, devices d
         where d.user_id = u.id and ${isPushedTo()} and u.active and ${wantsSql('u', settingOf[event].push)} and ${notifies(details)}
           and ${whom(bind, subject, actor)}`,
      )
    },
  ]
}

/** SQL: the device is of a kind that gets push messages. */
const isPushedTo = () => `d.platform in (${pushedTo().map((kind) => `'${kind}'`)})`

/**
 * SQL: not the one who acted; but all phones of the mobile key are one user, so that one is never
 * left out.
 */
const isOther = (bind: Bind, { details }: Subject, actor: Actor) =>
  `(${isNotActor(bind, details, actor)} or u.is_mobile_reporter)`

/** To the followers (spec §4 rule 4, decision 4.10). */
export function pushesToFollowers(event: NotifiedEvent): EffectStatement[] {
  return pushes(
    event,
    (bind, subject, actor) => `${isOther(bind, subject, actor)} and ${followsSql(subject.id)}`,
  )
}

/** To the reporter, whose own act it is, and to other followers (decision 4.10). */
export function pushesOfReport(event: NotifiedEvent): EffectStatement[] {
  return pushes(
    event,
    (bind, subject, actor) => `(u.id = ${subject.reporterId}
      or ${isOther(bind, subject, actor)} and ${followsSql(subject.id)})`,
  )
}

/** To staff who are not told the same as followers. */
export function pushesToOtherStaff(event: NotifiedEvent, asFollowers: NotifiedEvent): EffectStatement[] {
  return pushes(
    event,
    (bind, subject, actor) => `${isOther(bind, subject, actor)}
      and ${staffWantingSql('u', settingOf[event].push)}
      and not (${followsSql(subject.id)} and ${wantsSql('u', settingOf[asFollowers].push)})`,
  )
}

/** One push to each device of the followers for all incidents of the statement. */
export function pushesAboutMany(event: NotifiedEvent): EffectStatement[] {
  if (pushedTo().length === 0) return []
  return [
    (bind, subject, actor) => {
      const { from, id, details, now } = subject
      const payload = `${details} || jsonb_build_object('deviceId', d.id)`
      return rowsAboutMany(
        { kind: 'push', event, incidentId: id, payload, now },
        `from ${from}, followers f, users u, devices d
         where f.incident_id = ${id} and u.id = f.user_id and d.user_id = u.id and ${isPushedTo()}
           and u.active and ${wantsSql('u', settingOf[event].push)} and ${isOther(bind, subject, actor)}`,
        'd.id',
      )
    },
  ]
}

function gatherPushes(event: NotifiedEvent, subject: Subject, { inBulk }: Actor): { gather?: Gather } {
  if (event === 'incident.commented')
    return { gather: { key: `'push:${event}:' || ${subject.id} || ':' || d.id`, pace: 'calm' } }
  if (event === 'incident.merged' || inBulk)
    return { gather: { key: `'push:${event}:' || d.id`, pace: 'brisk' } }
  return {}
}
