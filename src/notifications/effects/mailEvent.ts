import { query } from '../../platform/db/database.js'
import { dueAt, ofParts, takingIn } from '../emails/gathering.js'
import { fanOutAssetEvents } from '../follow/assetNewsQueries.js'
import { familyOf } from '../follow/followerQueries.js'

/**
 * SQL: whether anybody without an account follows this incident, or one it is merged with; quick
 * where nobody follows.
 */
export const isFollowedByMail = (incident: string) =>
  `exists (select from mail_follows where incident_id is not null)
   and exists (select from mail_follows f where f.incident_id in (${familyOf(incident)}))`

/**
 * Makes the mails of at most `most` events of incidents, one for each person without an account who
 * follows; returns the number of events. Comments and merges gather as for accounts (decision 7.2).
 * The event's row is deleted in the same commit, so one process does it once.
 */
export async function fanOutIncidentEvents(most: number): Promise<number> {
  const [row] = await query<{ events: number }>(
    `with taken as (
       delete from mail_events where id in (
         select id from mail_events where incident_id is not null order by id limit $1 for update skip locked
       ) returning *
     ), told as (
       select distinct on (t.id, m.id) t.id, t.event, m.id as follower_id, t.incident_id,
         t.payload - 'mailFollowerId'::text as payload, t.created_at, t.request_id
       from taken t join mail_follows f on f.incident_id in (${familyOf('t.incident_id')})
         join mail_followers m on m.id = f.mail_follower_id
       where m.stopped_at is null and m.id::text is distinct from t.payload ->> 'mailFollowerId'
         and not exists (
           select from users u join followers g on g.user_id = u.id
           where u.active and lower(u.email) = lower(m.address) and g.incident_id = t.incident_id
         )
       order by t.id, m.id
     ), spread as (
       insert into outbox (kind, event, mail_follower_id, incident_id, payload, created_at, next_attempt_at, request_id)
       select 'mail', event, follower_id, incident_id, payload, created_at, now(), request_id
       from told where event not in ('incident.commented', 'incident.merged') order by id, follower_id
     ), gathering as (
       insert into outbox
         (kind, event, mail_follower_id, incident_id, payload, created_at, next_attempt_at, gather_key,
          request_id)
       select 'mail', event, follower_id, min(incident_id),
         ${ofParts(`(array_agg(payload || jsonb_build_object('incidentId', incident_id) order by incident_id, id))`)},
         min(created_at), ${dueAt('max(created_at)', 'calm')}, gather_key,
         (array_agg(request_id order by id))[1]
       from (
         select *, 'mail:' || event || ':' || case event when 'incident.commented' then incident_id || ':' else '' end
           || 'address ' || follower_id as gather_key
         from told where event in ('incident.commented', 'incident.merged')
       ) g group by event, follower_id, gather_key
       ${takingIn('calm')}
     )
     select count(*)::integer as events from taken`,
    [most],
  )
  return row!.events
}

/** Whether anything waits to be made into mails; asked at every look, and quick. */
export async function mailEventsWait(): Promise<boolean> {
  return (await query('select from mail_events limit 1')).length > 0
}

/** Events that one statement turns into emails. */
const eventsAtOnce = 50
/** Assets that one email is about, at most. */
const assetsAtOnce = 10

/** Turns the events that wait into emails, until none is left or `stopped` says so. */
export async function fanOutEvents(stopped: () => boolean): Promise<void> {
  if (!(await mailEventsWait())) return
  while (!stopped() && (await fanOutIncidentEvents(eventsAtOnce)) === eventsAtOnce) {}
  while (!stopped() && (await fanOutAssetEvents(assetsAtOnce)) === assetsAtOnce) {}
}
