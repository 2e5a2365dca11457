import { query } from '../../platform/db/database.js'
import { epochMs } from '../../platform/db/instants.js'
import type { Impact } from '../../vocabulary/assetStatus.js'
import type { ClosingReason, Status } from '../../vocabulary/lifecycle.js'
import { outagesSql } from './impacts.js'
import { countedSql } from './incidentFacts.js'
import { isReopeningSql } from './latestStatement.js'

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

/** Incidents in a feed, entries of each, and rows looked at: the cost is the same in any year. */
const [most, entriesOfEach, lookedAt] = [50, 20, 2_000]

/** The incidents of assets in use, or of one, that changed last: at most 50, latest first. */
export async function latestNews(assetId: number | null): Promise<News[]> {
  return assetId === null ? query<News>(newsSql(ofAll)) : query<News>(newsSql(ofOne), [assetId])
}

/** The news of these incidents. */
export async function newsOf(ids: readonly number[]): Promise<News[]> {
  return query<News>(newsSql('select unnest($1::integer[]) as id'), [ids])
}

/** Words of an anonymous reporter are no news of the office, also where the reporter is staff. */
const isPublic = (p: string) =>
  `(${p}.new_status is not null or ${p}.on_status_page and not ${p}.is_anonymous)`

const ofAll = `
  select p.incident_id as id from (select * from incident_updates order by id desc limit ${lookedAt}) p
  where ${isPublic('p')}
  union (select id from incidents order by id desc limit ${lookedAt})`

const ofOne = `
  (select id from incidents where asset_id = $1 order by id desc limit ${4 * most})
  union (select id from incidents
    where asset_id = $1 and resolved_at is null and merged_into_id is null limit ${4 * most})`

const newsSql = (candidates: string) => `
  with latest as materialized (
    select i.id, i.title, i.asset_id, a.name, i.created_at, greatest(i.created_at, (
      select p.created_at from incident_updates p
      where p.incident_id = i.id and ${isPublic('p')} order by p.id desc limit 1)) as updated_at
    from (${candidates}) c join incidents i on i.id = c.id join assets a on a.id = i.asset_id
    where ${countedSql('i')} and a.archived_at is null
    order by updated_at desc, i.id desc limit ${most}
  )
  select l.id, l.title, l.asset_id as "assetId", l.name as "assetName", ${epochMs('l.created_at')} as "createdAt",
    ${epochMs('l.updated_at')} as "updatedAt", coalesce(e.entries, '[]') as entries, coalesce(o.outages, '[]') as outages
  from latest l
  left join lateral (
    select json_agg(json_build_object('id', p.id, 'at', ${epochMs('p.created_at')}, 'status', p.new_status, 'closingReason', p.closing_reason,
      'body', case when p.on_status_page and not p.is_anonymous then p.body else '' end,
      'isReopening', ${isReopeningSql('p', 'w')}) order by p.id desc) as entries
    from (select * from incident_updates u where u.incident_id = l.id and ${isPublic('u')}
      order by u.id desc limit ${entriesOfEach}) p left join users w on w.id = p.author_id
  ) e on true
  left join lateral (${outagesSql('l.id', entriesOfEach)}) o on true
  order by l.updated_at desc, l.id desc`
