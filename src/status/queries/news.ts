import { query } from '../../platform/db/database.js'
import type { Impact } from '../../vocabulary/assetStatus.js'
import type { ClosingReason, Status } from '../../vocabulary/lifecycle.js'

/** A public entry of a timeline: a new status, words of the office for the status page, or both. */
type NewsEntry = {
  id: number
  at: number
  status: Status | null
  closingReason: ClosingReason | null
  body: string
  /** A resident said by it that the repair failed. */
  isReopening: boolean
}

/** An incident as everyone may read it, without names; entries newest first. Times in epoch ms. */
export type News = {
  id: number
  title: string
  assetId: number
  assetName: string
  createdAt: number
  updatedAt: number
  entries: NewsEntry[]
  outages: { impact: Impact; start: number; end: number | null }[]
}

/** The incidents of assets in use, or of one, that changed last: at most 50, latest first. */
export async function latestNews(assetId: number | null): Promise<News[]> {
  const incidents =
    assetId === null
      ? await query<{ id: number }>(latestOfAll)
      : await query<{ id: number }>(latestOfOne, [assetId])
  return newsOf(incidents.map(({ id }) => id))
}

/** The 2,000 newest entries and incidents are looked at: the cost is the same in any year. */
const latestOfAll = `
  select p.incident_id as id
  from (select incident_id, is_news from timeline_entries order by id desc limit 2000) p
  where p.is_news
  union (select id from incidents order by id desc limit 2000)`

const latestOfOne = `
  (select id from incidents where asset_id = $1 order by id desc limit 200)
  union
  (select id from incidents where asset_id = $1 and resolved_at is null and merged_into_id is null limit 200)`

/** The news of these incidents. */
export async function newsOf(ids: readonly number[]): Promise<News[]> {
  return query<News>(newsSql, [ids])
}

/** At most 50 incidents, and the last 20 entries and outages of each. */
const newsSql = `
  with latest as materialized (
    select i.id, i.title, i.asset_id, a.name as asset_name, i.created_at, greatest(i.created_at, (
      select p.created_at from timeline_entries p
      where p.incident_id = i.id and p.is_news order by p.id desc limit 1
    )) as updated_at
    from incidents i
    join assets a on a.id = i.asset_id
    where i.id = any ($1) and is_counted(i) and a.archived_at is null
    order by updated_at desc, i.id desc limit 50
  )
  select l.id, l.title, l.asset_id, l.asset_name, epoch_ms(l.created_at) as created_at,
    epoch_ms(l.updated_at) as updated_at, coalesce(e.entries, '[]') as entries, coalesce(o.outages, '[]') as outages
  from latest l
  left join lateral (
    select json_agg(json_build_object(
      'id', p.id,
      'at', epoch_ms(p.created_at),
      'status', p.new_status,
      'closingReason', p.closing_reason,
      'body', case when p.on_status_page and not p.is_anonymous then p.body else '' end,
      'isReopening', p.is_reopening
    ) order by p.id desc) as entries
    from (
      select * from timeline_entries t
      where t.incident_id = l.id and t.is_news order by t.id desc limit 20
    ) p
  ) e on true
  left join lateral (
    select json_agg(json_build_object(
      'impact', r.impact,
      'start', r.start,
      'end', epoch_ms(r.ended_at)
    ) order by r.started_at desc) as outages
    from (
      select * from asset_impact_spans s where s.incident_id = l.id order by s.started_at desc limit 20
    ) r
  ) o on true
  order by l.updated_at desc, l.id desc`
