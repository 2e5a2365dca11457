import { change } from '../platform/db/change.js'
import { inSnapshot, type Query } from '../platform/db/database.js'
import { enqueueEmail } from '../platform/outbox/enqueueEmail.js'
import { idle } from '../platform/outbox/outbox.js'
import { countEmails } from '../platform/outbox/outboxMessage.js'
import { assetImpacts } from '../status/queries/impacts.js'
import { type Passed, passed } from '../status/queries/incidentFacts.js'
import { liveAssets } from '../status/queries/liveStatus.js'
import { windowsInUse } from '../status/queries/windowTimes.js'
import type { AssetStatus } from '../vocabulary/assetStatus.js'
import type { Actor } from '../vocabulary/people/actor.js'
import type { Severity } from '../vocabulary/severity.js'
import { DAY } from '../vocabulary/time/calendar.js'
import { clip, type Interval, spanTexts, subtract, total } from '../vocabulary/time/intervals.js'
import { occurrences, type RecurringWindow } from '../vocabulary/time/recurrence.js'

/** Hours, or a number of incidents, in the week of the digest and in the week before it. */
export type TwoWeeks = { thisWeek: number; weekBefore: number }

/** Contents of the weekly digest (spec §4 rule 6). Instants are ISO 8601 in UTC. */
export type Digest = {
  from: string
  to: string
  /**
   * Downtime in hours, counted as for uptime; `status` is the live one, `back` what is expected. In
   * display order.
   */
  towers: {
    name: string
    hours: TwoWeeks
    assets: { id: number; name: string; status: AssetStatus; back?: string; hours: TwoWeeks }[]
  }[]
  counts: { created: TwoWeeks; resolved: TwoWeeks; verified: TwoWeeks }
  /**
   * How many incidents wait, and the most urgent: critical, then high ones, then those that have
   * waited longest.
   */
  unacknowledged: {
    total: number
    oldest: { id: number; title: string; severity: Severity; createdAt: string; where: string }[]
  }
  /**
   * What was to be back or done by now and is not, longest first; missing in digests written before
   * this was told.
   */
  passed?: Passed
  /** Planned work ahead, soonest first. */
  maintenance: { title: string; assetName: string; towerName: string; startsAt: string; endsAt: string }[]
}

/** The rows a digest is made from, of one snapshot; times in epoch ms. */
export type DigestRows = {
  now: number
  zone: string
  /** `back`: when the last of what keeps it out of service is expected to be over. */
  assets: { id: number; name: string; towerName: string; status: AssetStatus; back: Date | null }[]
  downtime: (Interval & { assetId: number })[]
  windows: (RecurringWindow & { assetId: number; title: string })[]
  counts: Digest['counts']
  unacknowledged: { id: number; title: string; severity: Severity; createdAt: Date; where: string }[]
  unacknowledgedTotal: number
  passed: NonNullable<Digest['passed']>
}

/** The incidents that are named of those that wait, and of those that are late. */
const oldestNamed = 10
/** Passed promises are counted up to this. */
const countedUpTo = 10_000
/** Two weeks, and a day for clock changes. */
const daysRead = 15

/**
 * Reads the rows, without merged duplicates (decision 2.5). Cost follows two weeks of incidents,
 * not all history.
 */
async function digestRows(query: Query): Promise<DigestRows> {
  const live = await liveAssets(query)
  const [[frame], assets, spans, windows, [counts], unacknowledged, [waiting]] = await Promise.all([
    query<{ now: number; zone: string }>('select epoch_ms(now()) as now, timezone as zone from properties'),
    query<Omit<DigestRows['assets'][number], 'status'>>(assetsSql),
    assetImpacts(query, daysRead),
    windowsInUse(query, daysRead),
    query<Digest['counts']>(countsSql),
    query<DigestRows['unacknowledged'][number]>(unacknowledgedSql, [oldestNamed]),
    query<{ total: number }>('select count(*)::integer as total from incidents i where is_waiting(i)'),
  ])
  const statusOf = (asset: number) => live.find(({ id }) => id === asset)?.status ?? 'operational'
  return {
    ...frame!,
    assets: assets.map((asset) => ({ ...asset, status: statusOf(asset.id) })),
    downtime: spans.filter(({ impact }) => impact === 'down'),
    windows,
    counts: counts!,
    unacknowledged,
    unacknowledgedTotal: waiting!.total,
    passed: await passed(countedUpTo, oldestNamed, query),
  }
}

/** `back`: when the last of what keeps the asset out of service is expected to be over. */
const assetsSql = `
  select a.id, a.name, t.name as tower_name, (
    select max(i.expected_back_at)
    from asset_impact_spans r
    join incidents i on i.id = r.incident_id
    where r.asset_id = a.id and r.ended_at is null and r.impact = 'down' and i.expected_back_at > now()
  ) as back
  from assets a
  join towers t on t.id = a.tower_id
  where a.archived_at is null
  order by t.sort_order, t.id, a.sort_order, a.id`

/** Each count reads a range of one index, never old incidents. */
const countsSql = `
  with week as (
    select now() - interval '7 days' as start, now() - interval '14 days' as before
  ), counted as (
    select i.created_at, i.resolved_at, i.verified_at
    from incidents i
    where is_counted(i) and (
      i.created_at > now() - interval '14 days'
      or i.resolved_at > now() - interval '14 days'
      or i.verified_at > now() - interval '14 days'
    )
  )
  select
    json_build_object(
      'thisWeek', count(*) filter (where created_at > start),
      'weekBefore', count(*) filter (where created_at between before and start)
    ) as created,
    json_build_object(
      'thisWeek', count(*) filter (where resolved_at > start),
      'weekBefore', count(*) filter (where resolved_at between before and start)
    ) as resolved,
    json_build_object(
      'thisWeek', count(*) filter (where verified_at > start),
      'weekBefore', count(*) filter (where verified_at between before and start)
    ) as verified
  from week left join counted on true`

const unacknowledgedSql = `
  select i.id, i.title, i.severity, i.created_at,
    coalesce(public_place_name(a.name, u.name, u.tower_name, p.unit_visibility), '') as "where"
  from incidents i
  left join assets a on a.id = i.asset_id
  left join named_units u on u.id = i.unit_id
  cross join properties p
  where is_waiting(i)
  order by i.created_at, i.id limit $1`

const aheadDays = 14
/** Milliseconds a run waits to count delivered emails; the outbox sends the others later. */
const patience = 10_000

/**
 * `recipients`: emails written; `delivered`: emails sent so far; `outbox`: the folder used without
 * an email server.
 */
type DigestResult = { recipients: number; delivered: number; outbox: string | null }

/**
 * Sends the weekly digest to staff (spec §4 rule 6, decision 4.7). With a `period`, once to each
 * person, also when a run is made again after its process was killed; without one, as a manual run,
 * always.
 */
export async function sendDigest(
  actor: Actor,
  outboxDir: string | null,
  period: string | null = null,
): Promise<DigestResult> {
  const digest = await compileDigest()
  const emailIds = await change(actor, async (c) => {
    c.audit('digest.sent', null, { period: { before: null, after: `${digest.from}/${digest.to}` } })
    const staff = await c.query<{ id: number }>(
      `select id from users
       where active and is_staff(role) and wants_notification(notifications, 'digest.mail')`,
    )
    const once = period && `digest:${period}`
    const users = staff.map(({ id }) => id)
    const written = await enqueueEmail(c, 'digest', { users }, { payload: digest, once })
    if (written.length === 0 && period !== null) c.noop()
    return written
  })
  await Promise.race([idle(), new Promise((resolve) => setTimeout(resolve, patience).unref())])
  return { ...(await countEmails(emailIds)), outbox: outboxDir }
}

/** The last 7 × 24 hours compared with the 7 × 24 before; downtime as in uptime (decision 3.3). */
export async function compileDigest(): Promise<Digest> {
  return digestContents(await inSnapshot(digestRows))
}

export function digestContents(rows: DigestRows): Digest {
  const { now } = rows
  return {
    from: new Date(now - 7 * DAY).toISOString(),
    to: new Date(now).toISOString(),
    towers: towersOf(rows),
    counts: rows.counts,
    unacknowledged: {
      total: rows.unacknowledgedTotal,
      oldest: rows.unacknowledged.map((each) => ({ ...each, createdAt: each.createdAt.toISOString() })),
    },
    passed: rows.passed,
    maintenance: maintenanceOf(rows),
  }
}

function towersOf(rows: DigestRows): Digest['towers'] {
  const names = [...new Set(rows.assets.map(({ towerName }) => towerName))]
  return names.map((name) => {
    const assets = rows.assets
      .filter(({ towerName }) => towerName === name)
      .map(({ id, name, status, back }) => ({
        id,
        name,
        status,
        ...(back ? { back: back.toISOString() } : {}),
        hours: downtimeOf(rows, id),
      }))
    const sum = (week: keyof TwoWeeks) => assets.reduce((hours, asset) => hours + asset.hours[week], 0)
    return { name, hours: { thisWeek: sum('thisWeek'), weekBefore: sum('weekBefore') }, assets }
  })
}

function downtimeOf({ now, zone, downtime, windows }: DigestRows, assetId: number): TwoWeeks {
  const planned = windows
    .filter((window) => window.assetId === assetId)
    .flatMap((window) => occurrences(window, zone, now - 15 * DAY, now))
  const down = subtract(
    downtime.filter((interval) => interval.assetId === assetId),
    planned,
  )
  const hours = (from: number, to: number) => total(clip(down, from, to)) / 3_600_000
  return { thisWeek: hours(now - 7 * DAY, now), weekBefore: hours(now - 14 * DAY, now - 7 * DAY) }
}

function maintenanceOf({ now, zone, assets, windows }: DigestRows): Digest['maintenance'] {
  return windows
    .flatMap(({ title, assetId, ...window }) =>
      occurrences(window, zone, now, now + aheadDays * DAY).map(({ start, end }) => ({
        title,
        assetId,
        start,
        end,
      })),
    )
    .sort((a, b) => a.start - b.start)
    .map(({ title, assetId, start, end }) => {
      const { name: assetName, towerName } = assets.find(({ id }) => id === assetId)!
      return {
        title,
        assetName,
        towerName,
        ...spanTexts({ start, end }),
      }
    })
}
