import { type Query, query } from '../platform/db/database.js'
import { enqueueSql } from '../platform/outbox/enqueueEmail.js'
import { pushedTo } from '../platform/process/config.js'
import { storedEmailFollowerKey } from '../vocabulary/events.js'
import { audiencesJson, emailedSql, pushedSql } from './audience.js'
import { dueAt, longestWait, ofParts, takingIn } from './emails/gathering.js'
import { fanOutAssetEvents } from './follow/assetNewsQueries.js'

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
    const assets = await fanOutAssetEvents(assetsAtOnce)
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
    const [row] = await run<{ events: number }>(fanOutSql, [eventsAtOnce, audiencesJson, pushedTo()])
    if (row!.events < eventsAtOnce) return
  }
}

/**
 * A delivery for each active subscription to the event. The body is made here once, as text:
 * exactly this text is signed and sent (spec §6 rules 1–3).
 */
const deliveriesSql = `
  insert into webhook_deliveries (subscription_id, event_id, event, body, created_at, request_id)
  select s.id, gen_random_uuid(), e.event, e.body, e.created_at, e.request_id
  from (
    select t.*, json_build_object('event', t.event, 'occurredAt', iso_text(t.occurred_at),
      'property', json_build_object('id', p.id, 'name', p.name),
      case when t.asset_id is null then 'incident' else 'asset' end, t.fact)::text as body
    from taken t, properties p
  ) e join webhook_subscriptions s on s.active and e.event = any (s.events)
  order by e.id, s.id`

/**
 * Keeps the events of assets for `fanOutAssetEvents`, which makes emails of them at its own pace
 * for everyone who follows the asset, its tower or the building.
 */
const assetNewsSql = `
  insert into email_events (event, asset_id, created_at, request_id)
  select event, asset_id, created_at, request_id from taken where asset_id is not null order by id`

/** The channels with a message for each receiver. */
type MessageKind = 'mail' | 'push'

/**
 * SQL: the key under which events gather in one message (decision 7.2): comments on one incident;
 * merges; what one request did to many incidents, to an account. Null: a message of its own.
 */
const gatherKey = (kind: MessageKind, receiver: string) => `
  '${kind}:' || event || ':' || case
    when event = 'incident.commented' then incident_id || ':'
    when event = 'incident.merged' or in_bulk and user_id is not null then ''
  end || ${receiver}`

/** The events that gather at the calm pace; others at the brisk one. */
const calmEvents = { mail: ['incident.commented', 'incident.merged'], push: ['incident.commented'] }

/** SQL: the receiver of a message: a device for a push; for an email an account or an address. */
const receiverOf = {
  mail: `coalesce(user_id::text, 'address ' || email_follower_id)`,
  push: 'device_id',
}

/** SQL: the payload that an event adds to the message: its details, without who acted. */
const partOf = {
  mail: `(details - '{authorId,${storedEmailFollowerKey}}'::text[]) || jsonb_build_object('incidentId', incident_id)`,
  push: `(details - '{authorId,${storedEmailFollowerKey}}'::text[])
    || jsonb_build_object('incidentId', incident_id, 'deviceId', device_id)`,
}

/**
 * SQL: a message for each of `receivers`; an event that gathers goes into the message that waits.
 */
function messagesSql(kind: MessageKind, receivers: string): string {
  const listedEvents = calmEvents[kind].map((event) => `'${event}'`).join(', ')
  const row = {
    kind,
    event: 'event',
    userId: 'user_id',
    followerId: 'email_follower_id',
    incidentId: '(array_agg(incident_id order by incident_id, id))[1]',
    payload: ofParts('(array_agg(part order by incident_id, id))'),
    createdAt: 'min(created_at)',
    dueAt: `case
      when gather_key is null then min(created_at)
      when event in (${listedEvents}) then ${dueAt('max(created_at)', 'calm')}
      else ${dueAt('max(created_at)', 'brisk')} end`,
    gatherKey: 'gather_key',
    requestId: '(array_agg(request_id order by id))[1]',
  }
  const from = `from (
      select *, ${gatherKey(kind, receiverOf[kind])} as gather_key, ${partOf[kind]} as part
      from (${receivers}) received
    ) each
    group by event, user_id, email_follower_id, device_id, gather_key, coalesce(gather_key, id::text)
    order by min(id)`
  const longest = `case
    when outbox.event in (${listedEvents}) then ${longestWait('calm')}
    else ${longestWait('brisk')} end`
  return `${enqueueSql(row, from)} ${takingIn(longest)}`
}

const fanOutSql = `
  with taken as (
    delete from events where id in (select id from events order by id limit $1 for update) returning *
  ), audiences as (
    select * from jsonb_to_recordset($2) as a (event text, setting text, mail text, push text)
  ), deliveries as (
    ${deliveriesSql}
  ), emails as (
    ${messagesSql('mail', emailedSql)}
  ), pushes as (
    ${messagesSql('push', pushedSql)}
  ), asset_news as (
    ${assetNewsSql}
  )
  select count(*)::integer as events from taken`
