import { query } from '../platform/db/database.js'
import { enqueueSql } from '../platform/outbox/outboxRow.js'
import { assetNewsMinutes } from '../vocabulary/limits.js'

/** Makes the emails of at most `most` assets with news; returns how many assets that were. */
export async function fanOutAssetNews(most: number): Promise<number> {
  await query(insertMissingAssets)
  const [row] = await query<{ assets: number }>(assetNewsSql, [most, assetNewsMinutes])
  return row!.assets
}

/**
 * Adds the state that followers last read, for assets without one: no one has read of a fault yet.
 */
const insertMissingAssets = `
  insert into asset_notifications (asset_id, down)
  select distinct a.id, false
  from email_events e
  join assets a on a.id = e.asset_id
  where not exists (select from asset_notifications t where t.asset_id = a.id)
  on conflict do nothing`

/** SQL: one email for each reader, with everything that happened to what they follow. */
const newsRow = {
  event: `'asset.news'`,
  userId: 'r.user_id',
  emailFollowerId: 'r.email_follower_id',
  payload: `jsonb_build_object(
      'followed', string_agg(distinct r.followed, ','),
      'notices', jsonb_agg(distinct r.notice)
    )`,
  createdAt: 'now()',
  requestId: '(array_agg(r.request_id order by r.first_id))[1]',
}

/**
 * SQL: the readers that get an email: no one who has stopped all emails; and where an account and
 * its address both follow the asset, the account alone.
 */
const newsReaders = `from readers r
    left join email_followers m on m.id = r.email_follower_id
    where m.stopped_at is null
      and not exists (
        select from users u
        join readers o on o.user_id = u.id
        where u.active and lower(u.email) = lower(m.address) and o.asset_id = r.asset_id
      )
    group by r.user_id, r.email_follower_id`

/**
 * Takes the events of at most `$1` assets whose followers have read nothing for `$2` minutes, and
 * compares each asset's present state with the one they last read: what came and went in between
 * is not news.
 */
const assetNewsSql = `
  with due as materialized (
    select t.asset_id, t.down, t.expected_at
    from asset_notifications t
    where t.asset_id in (select asset_id from email_events where asset_id is not null)
      and (t.notified_at is null or t.notified_at <= now() - make_interval(mins => $2))
    order by t.asset_id
    limit $1
    for update skip locked
  ),
  taken as (
    delete from email_events e using due d where e.asset_id = d.asset_id returning e.*
  ),
  asset_now as (
    select d.asset_id, d.down as was_down, d.expected_at as was_expected,
      a.name, a.tower_id, t.name as tower, a.announced_status as status,
      a.announced_status in ('down', 'degraded') as troubled,
      cause.expected_back_at as expected, cause.status_reason as reason,
      planned.work, first_event.id as first_id, first_event.request_id
    from due d
    join assets a on a.id = d.asset_id
    join towers t on t.id = a.tower_id
    left join lateral (
      select id, request_id from taken where asset_id = a.id order by id limit 1
    ) first_event on true
    -- The report that explains the status: of several, the one that is expected to last longest.
    left join lateral (
      select i.expected_back_at, i.status_reason
      from incidents i
      where i.asset_id = a.id and i.resolved_at is null and i.merged_into_id is null
        and case a.announced_status
          when 'down' then i.is_downtime
          when 'degraded' then i.severity <> 'low'
          else false
        end
      order by i.expected_back_at desc nulls last, i.status_reason is null, i.id
      limit 1
    ) cause on true
    -- What happened to each series, or to one date of it, from its first event to its last.
    left join lateral (
      select jsonb_agg(
          occurrence || jsonb_build_object('what', what) order by occurrence ->> 'startsAt'
        ) as work
      from (
        select last.payload - 'what' as occurrence,
          case
            when first.payload ->> 'what' = 'new' and last.payload ->> 'what' = 'moved' then 'new'
            else last.payload ->> 'what'
          end as what
        from (
          select min(e.id) as first_id, max(e.id) as last_id
          from taken e
          where e.asset_id = a.id and e.event = 'maintenance'
          group by e.payload ->> 'windowId', e.payload ->> 'date'
        ) span
        join taken first on first.id = span.first_id
        join taken last on last.id = span.last_id
        -- Work that was planned and called off since is not news, nor a skipped date that takes
        -- place after all.
        where not (first.payload ->> 'what' = 'new' and last.payload ->> 'what' in ('cancelled', 'skipped'))
          and not (first.payload ->> 'what' = 'skipped' and last.payload ->> 'what' = 'new')
      ) each
    ) planned on true
  ),
  notices as (
    select n.asset_id, n.tower_id, n.first_id, n.request_id,
      jsonb_build_object(
        'assetId', n.asset_id,
        'name', n.name,
        'tower', n.tower,
        'status', n.status,
        'down', case when (n.status = 'down') <> n.was_down then n.status = 'down' end,
        'expected', iso_text(n.expected),
        'expectedChanged', n.expected is distinct from n.was_expected and n.troubled,
        'reason', n.reason,
        'work', n.work
      ) as notice
    from asset_now n
    where (n.status = 'down') <> n.was_down
      or (n.expected is distinct from n.was_expected and n.troubled)
      or n.work is not null
  ),
  notified as (
    update asset_notifications t
    set down = n.status = 'down',
      expected_at = n.expected,
      notified_at = case when n.asset_id in (select asset_id from notices) then now() else t.notified_at end
    from asset_now n
    where t.asset_id = n.asset_id
  ),
  readers as (
    -- A row for each follower of the asset, of its tower or of the building.
    select n.*, f.user_id, f.email_follower_id, 'asset:' || f.asset_id as followed
    from notices n
    join email_follows f on f.asset_id = n.asset_id
    union all
    select n.*, f.user_id, f.email_follower_id, 'tower:' || f.tower_id
    from notices n
    join email_follows f on f.tower_id = n.tower_id
    union all
    select n.*, f.user_id, f.email_follower_id, 'building'
    from notices n
    join email_follows f on f.incident_id is null and f.asset_id is null and f.tower_id is null
  ),
  emails as (
    ${enqueueSql(newsRow, newsReaders)}
  )
  select count(*)::integer as assets from due`
