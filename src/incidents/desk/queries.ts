import { query } from '../../platform/db/database.js'
import { openSql } from '../../status/queries/incidentFacts.js'
import { firstInHand, inHandSql } from '../../status/queries/inHand.js'
import type { WindowRow } from '../../status/queries/status.js'
import { endsAfterSql, windowTimesSql } from '../../status/queries/windowTimes.js'
import { type SlaTargets, severities } from '../../vocabulary/severity.js'
import { Incident, type ListedIncident, listedFrom, type TimelineUpdate } from '../incident.js'

/** Rows shown of each list of the desk; the others are only counted. */
export const deskRows = 50
/** Counts stop here: with so many, the exact number does not matter. */
export const countedUpTo = 1_000

/** The first rows of a list, and its length, counted up to `countedUpTo`. */
export type DeskCounts<T> = { total: number; rows: T[] }

/** Mail without a place, oldest first (spec §4 rule 5). */
export function untriaged(skip = 0): Promise<DeskCounts<ListedIncident>> {
  return counted(
    `i.asset_id is null and i.unit_id is null and i.merged_into_id is null and i.status not in ('resolved', 'verified')`,
    'i.id',
    skip,
  )
}

/** Resolved and not yet verified, latest first. */
export function unconfirmed(skip = 0): Promise<DeskCounts<ListedIncident>> {
  return counted(`i.status = 'resolved' and i.merged_into_id is null`, 'i.resolved_at desc', skip)
}

/** An incident with the latest word on it that is not the office's; null when that was hidden or never written. */
export type WordIncident = ListedIncident & { lastWord: TimelineUpdate | null }

/** Said not to be fixed, and the office has not reacted since: the longest waiting first (decision 7.2). */
export async function cameBack(skip = 0): Promise<DeskCounts<WordIncident>> {
  return withWords(
    await counted('i.came_back_at is not null and i.merged_into_id is null', 'i.came_back_at, i.id', skip),
  )
}

/** With words of residents or mails that the office has not reacted to, the longest waiting first (decision 7.2). */
export async function unanswered(skip = 0): Promise<DeskCounts<WordIncident>> {
  return withWords(
    await counted(
      'i.unanswered_since is not null and i.came_back_at is null and i.merged_into_id is null',
      'i.unanswered_since, i.id',
      skip,
    ),
  )
}

async function withWords({ total, rows }: DeskCounts<ListedIncident>): Promise<DeskCounts<WordIncident>> {
  const words = await Incident.lastWords(rows.map(({ id }) => id))
  return { total, rows: rows.map((row) => ({ ...row, lastWord: words.get(row.id) ?? null })) }
}

async function counted(condition: string, order: string, skip: number): Promise<DeskCounts<ListedIncident>> {
  const [rows, total] = await Promise.all([
    query<ListedIncident>(
      `${listedFrom('incidents')} where ${condition} order by ${order} limit ${deskRows} offset $1`,
      [skip],
    ),
    howMany(condition),
  ])
  return { total, rows }
}

const open = openSql('i')

/** In hand: passed promises first, then overdue work, then the longest without a word of the office. */
export async function inHand(skip = 0): Promise<DeskCounts<ListedIncident>> {
  const [rows, total] = await Promise.all([
    query<ListedIncident>(
      `with first as (${firstInHand}) ${listedFrom('first')} order by i.rank, i.since, i.id limit ${deskRows} offset $2`,
      [skip + deskRows, skip],
    ),
    howMany(inHandSql),
  ])
  return { total, rows }
}

/**
 * Open, also when acknowledged before and set back (decision 7.1): critical and high ones past their target (spec §8)
 * first, then critical ones, then by the time left. Reads the oldest of each severity by index, so the cost does not grow with the backlog.
 */
export async function unacknowledged(targets: SlaTargets, skip = 0): Promise<DeskCounts<ListedIncident>> {
  const hours = severities.map((severity) => targets[severity])
  const [rows, total] = await Promise.all([
    query<ListedIncident>(
      `with due as (
         select w.*, w.created_at + make_interval(secs => 3600 * s.hours) as due_at
         from unnest($1::text[], $2::float8[]) s (severity, hours)
         cross join lateral (
           select i.* from incidents i where ${open} and i.severity = s.severity
             and (i.asset_id is not null or i.unit_id is not null)
           order by i.created_at limit $3
         ) w
       ) ${listedFrom('due')} order by ${urgencySql}, i.due_at, i.id limit ${deskRows} offset $4`,
      [severities, hours, skip + deskRows, skip],
    ),
    howMany(`${open} and (i.asset_id is not null or i.unit_id is not null)`),
  ])
  return { total, rows }
}

const urgencySql = `case when i.due_at <= now() and i.severity in ('critical', 'high') then 0
  when i.severity = 'critical' then 1 else 2 end`

async function howMany(condition: string): Promise<number> {
  const [row] = await query<{ total: number }>(
    `select count(*)::integer as total from (
       select from incidents i where ${condition} limit ${countedUpTo + 1}) counted`,
  )
  return row!.total
}

/** Failed deliveries: mails and pushes given up within a week, and receivers whose last delivery failed. */
export type FailedDeliveries = {
  messages: number
  receivers: { id: number; url: string; lastStatus: string; lastFiredAt: Date }[]
}

export async function recentFailedDeliveries(): Promise<FailedDeliveries> {
  const [[messages], receivers] = await Promise.all([
    query<{ count: number }>(
      `select count(*)::integer as count from outbox where failed_at > now() - interval '7 days'`,
    ),
    query<FailedDeliveries['receivers'][number]>(
      `select id, url, last_status as "lastStatus", last_fired_at as "lastFiredAt" from webhook_subscriptions
       where active and last_status is not null and last_status !~ '^2\\d\\d$' order by last_fired_at desc limit ${deskRows}`,
    ),
  ])
  return { messages: messages!.count, receivers }
}

/** Every window with an occurrence after now, with the name of its asset. */
export function windowsAhead(): Promise<(WindowRow & { assetName: string })[]> {
  return query(
    `select w.id, w.asset_id as "assetId", a.name as "assetName", w.title, ${windowTimesSql('w', 'now()')}
     from maintenance_windows w join assets a on a.id = w.asset_id
     where a.archived_at is null and ${endsAfterSql('w', 'now()')}
     order by w.starts_at, w.id`,
  )
}

/** Emails that wait until staff sort them (decision 7.4). */
export async function mailsToSort(): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    'select count(*)::integer as waiting from held_mails where sorted_at is null',
  )
  return row!.waiting
}
