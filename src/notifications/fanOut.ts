import { type Query, query } from '../platform/db/database.js'
import { enqueueSql } from '../platform/outbox/outboxRow.js'
import { pushedTo } from '../platform/process/config.js'
import { storedEmailFollowerKey } from '../vocabulary/events.js'
import { audiencesJson } from './audience.js'
import { dueAt, gatherIntoWaitingRow, gatheringLimit } from './emails/gathering.js'
import { fanOutAssetNews } from './fanOutAssetNews.js'

/** Events that one statement takes. */
const eventsAtOnce = 100
/** Assets that one email is about, at most. */
const assetsAtOnce = 10

/**
 * Makes messages of the events that wait, until none is left or `stopped` says so (spec §4 rule 4,
 * §6). Throws when the database is away; the events then wait for the next run.
 */
export async function fanOut(stopped: () => boolean = () => false): Promise<void> {
  await fanOutEvents(query, stopped)
  const waiting = await query('select from email_events where asset_id is not null limit 1')
  if (waiting.length === 0) return
  while (!stopped()) {
    const assets = await fanOutAssetNews(assetsAtOnce)
    if (assets < assetsAtOnce) return
  }
}

/**
 * Makes emails, pushes and webhook deliveries of events, and deletes the events in the same
 * statement, so that no message is made twice. Processes take turns, so that the messages about an
 * incident are in the order of its events.
 */
export async function fanOutEvents(run: Query, stopped: () => boolean = () => false): Promise<void> {
  while (!stopped()) {
    const [row] = await run<{ events: number }>(fanOutEventsSql, [eventsAtOnce, audiencesJson, pushedTo()])
    if (row!.events < eventsAtOnce) return
  }
}

/** The events that gather at the calm pace; others at the brisk one. */
const calmEvents = { mail: `'incident.commented', 'incident.merged'`, push: `'incident.commented'` }

/**
 * SQL: a message for each row of `parts`, a name of the statement below. A part with a key goes
 * into the message that waits under the same key.
 */
function messagesSql(kind: 'mail' | 'push', parts: 'email_parts' | 'push_parts'): string {
  const payloads = '(array_agg(payload order by incident_id, id))'
  const row = {
    kind,
    event: 'event',
    userId: 'user_id',
    emailFollowerId: 'email_follower_id',
    incidentId: '(array_agg(incident_id order by incident_id, id))[1]',
    // The first part as it is, with the others below `more`.
    payload: `${payloads}[1] || case
      when count(*) = 1 then '{}'
      else jsonb_build_object('more', to_jsonb(${payloads}[2:])) end`,
    createdAt: 'min(created_at)',
    dueAt: `case
      when gather_key is null then min(created_at)
      when event in (${calmEvents[kind]}) then ${dueAt('max(created_at)', 'calm')}
      else ${dueAt('max(created_at)', 'brisk')} end`,
    gatherKey: 'gather_key',
    requestId: '(array_agg(request_id order by id))[1]',
  }
  const from = `from ${parts}
    group by event, user_id, email_follower_id, device_id, gather_key, coalesce(gather_key, id::text)
    order by min(id)`
  const limit = `case
    when outbox.event in (${calmEvents[kind]}) then ${gatheringLimit('calm')}
    else ${gatheringLimit('brisk')} end`
  return `${enqueueSql(row, from)} ${gatherIntoWaitingRow(limit)}`
}

/**
 * Takes the oldest `$1` events. `$2`: the table of audiences; `$3`: the kinds of device for which
 * pushes are configured. A report from a sender who sends too many (`quiet`) is stored and fires
 * webhooks, and notifies no one (decision 4.5).
 */
const fanOutEventsSql = `
  with taken as (
    -- Named, because rows of it are united with others below: events may gain a column while
    -- processes of the version before still run this.
    delete from events where id in (select id from events order by id limit $1 for update)
    returning id, event, incident_id, asset_id, fact, details, actor_id, in_bulk, occurred_at, created_at, request_id
  ),
  audiences as (
    select * from jsonb_to_recordset($2) as a (event text, setting text, mail text, push text)
  ),
  emailed as (
    -- Receipts of reporters (decision 9.13). The sender of a report by email is answered where the
    -- email comes in, and the user of all phones has no mailbox.
    select e.id, 'incident.receipt' as event, e.incident_id, e.asset_id, e.fact, e.details,
      e.actor_id, e.in_bulk, e.occurred_at, e.created_at, e.request_id,
      u.id as user_id, null::integer as email_follower_id, null::integer as device_id
    from taken e
    join incidents i on i.id = e.incident_id
    join users u on u.id = i.reporter_id
    where e.event = 'incident.created' and i.source <> 'email' and e.details ->> 'quiet' is null
      and u.active and not u.is_mobile_reporter and wants_notification(u.notifications, 'created.mail')
    union all
    select e.*, n.user_id, null, null
    from taken e
    join audiences a on a.event = e.event
    cross join lateral notified_accounts(
      e.event, e.incident_id, e.created_at, e.actor_id, e.details, 'mail', a.mail, a.setting
    ) n
    where e.details ->> 'quiet' is null
    union all
    -- People without an account. Where an account and its address both follow, the account is
    -- notified alone.
    select * from (
      select distinct on (e.id, m.id) e.*, null::integer, m.id, null::integer
      from taken e
      join audiences a on a.event = e.event
      join email_follows f on f.incident_id in (select id from incident_family(e.incident_id))
      join email_followers m on m.id = f.email_follower_id
      where a.mail = 'followers' and e.details ->> 'quiet' is null
        and exists (select from email_follows where incident_id is not null)
        and m.stopped_at is null
        and m.id::text is distinct from e.details ->> '${storedEmailFollowerKey}'
        and not exists (
          select from users u
          join followers g on g.user_id = u.id
          where u.active and lower(u.email) = lower(m.address) and g.incident_id = e.incident_id
        )
    ) addresses
  ),
  pushed as (
    -- A row for each device, so that a retry does not ring the other devices.
    select e.*, n.user_id, null::integer as email_follower_id, d.id as device_id
    from taken e
    join audiences a on a.event = e.event
    cross join lateral notified_accounts(
      e.event, e.incident_id, e.created_at, e.actor_id, e.details, 'push', a.push, a.setting
    ) n
    join devices d on d.user_id = n.user_id
    where e.details ->> 'quiet' is null
      and cardinality($3::text[]) > 0 and d.platform = any ($3::text[])
  ),
  deliveries as (
    -- One for each active subscription to the event.
    insert into webhook_deliveries (subscription_id, event_id, event, body, created_at, request_id)
    select s.id, gen_random_uuid(), e.event,
      webhook_body(e.event, e.occurred_at, p.id, p.name, e.asset_id, e.fact), e.created_at, e.request_id
    from taken e
    cross join properties p
    join webhook_subscriptions s on s.active and e.event = any (s.events)
    order by e.id, s.id
  ),
  email_parts as (
    -- What one request did to many incidents gathers for accounts alone. The payload is what the
    -- event adds to the message: its details, without who acted.
    select id, event, user_id, email_follower_id, device_id, incident_id, created_at, request_id,
      gather_key(
        'mail', event, incident_id, in_bulk and user_id is not null,
        coalesce(user_id::text, 'address ' || email_follower_id)
      ) as gather_key,
      (details - '{authorId,${storedEmailFollowerKey}}'::text[])
        || jsonb_build_object('incidentId', incident_id) as payload
    from emailed
  ),
  push_parts as (
    -- The same for each device.
    select id, event, user_id, email_follower_id, device_id, incident_id, created_at, request_id,
      gather_key('push', event, incident_id, in_bulk, device_id::text) as gather_key,
      (details - '{authorId,${storedEmailFollowerKey}}'::text[])
        || jsonb_build_object('incidentId', incident_id, 'deviceId', device_id) as payload
    from pushed
  ),
  emails as (
    ${messagesSql('mail', 'email_parts')}
  ),
  pushes as (
    ${messagesSql('push', 'push_parts')}
  ),
  asset_news as (
    -- Events of assets wait for fanOutAssetNews, which makes emails of them at its own pace for
    -- everyone who follows the asset, its tower or the building.
    insert into email_events (event, asset_id, created_at, request_id)
    select event, asset_id, created_at, request_id from taken where asset_id is not null order by id
  )
  select count(*)::integer as events from taken`
