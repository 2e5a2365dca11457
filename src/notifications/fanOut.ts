import { type Query, query } from '../platform/db/database.js'
import { isoText } from '../platform/db/instants.js'
import { enqueueSql } from '../platform/outbox/enqueueEmail.js'
import { subjectOf } from '../vocabulary/events.js'
import { emailedSql, pushedSql } from './audience.js'
import { dueAt, longestWait, ofParts, takingIn } from './emails/gathering.js'
import { fanOutAssetEvents } from './follow/assetNewsQueries.js'

/** Events that one statement hands on. */
const eventsAtOnce = 100
/** Assets that one email is about, at most. */
const assetsAtOnce = 10

/**
 * Hands on what happened and is not told yet, until nothing is left or `stopped` says so (spec §4
 * rule 4, §6). Throws when the database is away; then it waits.
 */
export async function fanOut(stopped: () => boolean = () => false): Promise<void> {
  await fanOutEvents(query, stopped)
  if ((await query('select from mail_events where asset_id is not null limit 1')).length === 0) return
  while (!stopped() && (await fanOutAssetEvents(assetsAtOnce)) === assetsAtOnce) {}
}

/**
 * Makes events into emails, pushes and webhook deliveries, and deletes them in the same statement,
 * so that each is handed on once. Processes take turns, so that what happened to an incident goes
 * out in its order.
 */
export async function fanOutEvents(run: Query, stopped: () => boolean = () => false): Promise<void> {
  const sql = handOnSql()
  for (let left = eventsAtOnce; left === eventsAtOnce && !stopped(); ) {
    const [row] = await run<{ events: number }>(sql, [eventsAtOnce])
    left = row!.events
  }
}

function handOnSql(): string {
  const pushed = pushedSql()
  return `
    with taken as (
      delete from events where id in (select id from events order by id limit $1 for update) returning *
    ), deliveries as (
      ${deliveriesSql}
    ), mails as (
      ${messagesSql('mail', emailedSql)}
    ), ${pushed === null ? '' : `pushes as (${messagesSql('push', pushed)}), `}asset_news as (
      ${assetNewsSql}
    )
    select count(*)::integer as events from taken`
}

/**
 * A delivery for each active subscription to the event. The body is made here once, as text:
 * exactly this text is signed and sent (spec §6 rules 1–3).
 */
const deliveriesSql = `
  insert into webhook_deliveries (subscription_id, event_id, event, body, created_at, request_id)
  select s.id, gen_random_uuid(), e.event, e.body, e.created_at, e.request_id
  from (
    select t.*, json_build_object('event', t.event, 'occurredAt', ${isoText('t.occurred_at')},
      'property', json_build_object('id', p.id, 'name', p.name),
      case when t.asset_id is null then '${subjectOf['incident.created']}' else '${subjectOf['asset.status_changed']}' end, t.fact)::text as body
    from taken t, properties p
  ) e join webhook_subscriptions s on s.active and e.event = any (s.events)
  order by e.id, s.id`

/** For everyone who follows the asset, its tower or the building: spread at its own pace. */
const assetNewsSql = `
  insert into mail_events (event, asset_id, created_at, request_id)
  select event, asset_id, created_at, request_id from taken where asset_id is not null order by id`

/**
 * SQL: what of these events is told in one message under one key (decision 7.2): comments on one
 * incident; merges; what one request did to many incidents, to an account. Null: a message of its
 * own.
 */
const gatherKey = (kind: 'mail' | 'push', receiver: string) => `
  '${kind}:' || event || ':' || case when event = 'incident.commented' then incident_id || ':'
    when event = 'incident.merged' or in_bulk and user_id is not null then '' end || ${receiver}`

/** The events that gather at the calm pace; others at the brisk one. */
const calm = { mail: ['incident.commented', 'incident.merged'], push: ['incident.commented'] }

/** SQL: a message for each of `receivers`; what gathers goes into the one that waits. */
function messagesSql(kind: 'mail' | 'push', receivers: string): string {
  const [receiver, device] =
    kind === 'mail'
      ? [`coalesce(user_id::text, 'address ' || mail_follower_id)`, '']
      : ['device_id', `, 'deviceId', device_id`]
  const isCalm = (event: string) => `${event} in (${calm[kind].map((each) => `'${each}'`).join(', ')})`
  const row = {
    ...{ kind, event: 'event', userId: 'user_id', followerId: 'mail_follower_id' },
    incidentId: '(array_agg(incident_id order by incident_id, id))[1]',
    payload: ofParts('(array_agg(part order by incident_id, id))'),
    createdAt: 'min(created_at)',
    dueAt: `case when gather_key is null then min(created_at) when ${isCalm('event')} then ${dueAt('max(created_at)', 'calm')}
      else ${dueAt('max(created_at)', 'brisk')} end`,
    gatherKey: 'gather_key',
    requestId: '(array_agg(request_id order by id))[1]',
  }
  const from = `from (
      select *, ${gatherKey(kind, receiver)} as gather_key,
        (details - '{authorId,mailFollowerId}'::text[]) || jsonb_build_object('incidentId', incident_id${device}) as part
      from (${receivers}) told
    ) each
    group by event, user_id, mail_follower_id, device_id, gather_key, coalesce(gather_key, id::text)
    order by min(id)`
  const longest = `case when ${isCalm('outbox.event')} then ${longestWait('calm')} else ${longestWait('brisk')} end`
  return `${enqueueSql(row, from)} ${takingIn(longest)}`
}
