import { query } from '../../platform/db/database.js'
import { config } from '../../platform/ops/config.js'
import { firstInHand, inHandSql, openSql, takenSql } from '../../status/queries/incidentFacts.js'
import { endsAfterSql, type PlannedWindow, windowTimesSql } from '../../status/queries/windowTimes.js'
import { severities } from '../../vocabulary/severity.js'
import { Incident, type ListedIncident, listedFrom, type TimelineUpdate } from '../incident.js'

/** Rows shown of each list of the desk; the others are only counted. */
export const deskRows = 50
/** Counts stop here: with so many, the exact number does not matter. */
export const countedUpTo = 1_000

/** The first rows of a list, and its length, counted up to `countedUpTo`. */
export type DeskCounts<T> = { total: number; rows: T[] }

/**
 * The tabs of the desk, in the order of the page and of the JSON (decision 8.5). A report is in one
 * tab alone.
 */
export const deskTabs = [
  // Open, or without a place: past their target first, then critical ones, then by the time left.
  'new',
  // Words of residents that the office has not reacted to, the longest waiting first.
  'replies',
  // Said not to be fixed, the longest waiting first.
  'reopened',
  // Passed promises, then overdue work, then the longest without a word of the office: `firstInHand`.
  'inProgress',
  // Marked as fixed and not yet confirmed, latest first.
  'toConfirm',
  // Held emails, newest first, on a page of their own.
  'emails',
] as const
export type DeskTab = (typeof deskTabs)[number]

const open = openSql('i')
const placeless = 'i.asset_id is null and i.unit_id is null and i.merged_into_id is null'
/** SQL: taken up by the office without a place: these are sorted with the new ones. */
const placelessTaken = `${placeless} and ${takenSql}`
const isTaken = `i.merged_into_id is null and i.status <> 'open' and not (${placelessTaken})`
const waitsForNothing = 'i.came_back_at is null and i.unanswered_since is null'

/** SQL: what is in a tab, in parts that share no row, each read by an index of its own. */
const partsOf: Record<Exclude<DeskTab, 'emails'>, readonly string[]> = {
  new: [open, placelessTaken],
  replies: [`i.unanswered_since is not null and i.came_back_at is null and ${isTaken}`],
  reopened: [`i.came_back_at is not null and ${isTaken}`],
  inProgress: [inHandSql],
  toConfirm: [`i.status = 'resolved' and i.merged_into_id is null and ${waitsForNothing}`],
}

/** How many are in each tab, counted up to one more than `countedUpTo`, in one query. */
export async function tabCounts(): Promise<Record<DeskTab, number>> {
  const countOf = (condition: string) =>
    `(select count(*)::integer from (select from incidents i where ${condition} limit ${countedUpTo + 1}) counted)`
  const columns = Object.entries(partsOf).map(
    ([tab, parts]) => `${parts.map(countOf).join(' + ')} as "${tab}"`,
  )
  const [row] = await query<Record<DeskTab, number>>(
    `select ${columns.join(', ')}, (select count(*)::integer from held_mails where sorted_at is null) as emails`,
  )
  return row!
}

/**
 * The rows of a tab from `skip` on, each with the latest word on it that is not the office's while
 * that wants an answer.
 */
export async function tabRows(tab: DeskTab, skip: number): Promise<WordIncident[]> {
  if (tab === 'emails') return []
  if (tab === 'new') return newRows(skip)
  if (tab === 'inProgress') return (await inHandRows(skip)).map(wordless)
  const condition = partsOf[tab][0]!
  if (tab === 'toConfirm') return (await rowsOf(condition, 'i.resolved_at desc, i.id', skip)).map(wordless)
  const since = tab === 'replies' ? 'i.unanswered_since' : 'i.came_back_at'
  return withWords(await rowsOf(condition, `${since}, i.id`, skip))
}

/** Reads the oldest of each severity by index, so the cost does not grow with the backlog. */
async function newRows(skip: number): Promise<WordIncident[]> {
  const rows = await query<ListedIncident & { isWaiting: boolean }>(
    `with first as (
       ${dueSql('true')}
       union all
       (select i.*, null from incidents i where ${placelessTaken} order by i.id limit $3)
     ) ${listedFrom('first', ', coalesce(i.came_back_at, i.unanswered_since) is not null as "isWaiting"')}
     order by ${urgencySql}, i.due_at, i.id limit ${deskRows} offset $4`,
    [severities, hoursToAcknowledge(), skip + deskRows, skip],
  )
  const words = await Incident.lastWords(rows.filter(({ isWaiting }) => isWaiting).map(({ id }) => id))
  return rows.map(({ isWaiting, ...row }) => ({ ...row, lastWord: words.get(row.id) ?? null }))
}

/** Of each of `severities`. */
const hoursToAcknowledge = () => severities.map((severity) => config.slaTargets[severity])

const wordless = (row: ListedIncident): WordIncident => ({ ...row, lastWord: null })

/**
 * SQL: the oldest open incidents of each severity `$1` with their target, `$2` hours after the
 * report.
 */
const dueSql = (condition: string) => `
  select w.*, w.created_at + make_interval(secs => 3600 * s.hours) as due_at
  from unnest($1::text[], $2::float8[]) s (severity, hours)
  cross join lateral (
    select i.* from incidents i where ${open} and i.severity = s.severity and ${condition} order by i.created_at limit $3
  ) w`

const urgencySql = `case when i.due_at <= now() and i.severity in ('critical', 'high') then 0
  when i.severity = 'critical' and i.due_at is not null then 1 when i.due_at is not null then 2 else 3 end`

/** Email without a place, oldest first (spec §4 rule 5). */
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

/**
 * An incident with the latest word on it that is not the office's; null when that was hidden or
 * never written.
 */
export type WordIncident = ListedIncident & { lastWord: TimelineUpdate | null }

/**
 * Said not to be fixed, and the office has not reacted since: the longest waiting first (decision
 * 7.2).
 */
export async function cameBack(skip = 0): Promise<DeskCounts<WordIncident>> {
  return countedWithWords(
    'i.came_back_at is not null and i.merged_into_id is null',
    'i.came_back_at, i.id',
    skip,
  )
}

/**
 * With words of residents or emails that the office has not reacted to, the longest waiting first
 * (decision 7.2).
 */
export async function unanswered(skip = 0): Promise<DeskCounts<WordIncident>> {
  return countedWithWords(
    'i.unanswered_since is not null and i.came_back_at is null and i.merged_into_id is null',
    'i.unanswered_since, i.id',
    skip,
  )
}

async function countedWithWords(
  condition: string,
  order: string,
  skip: number,
): Promise<DeskCounts<WordIncident>> {
  const { total, rows } = await counted(condition, order, skip)
  return { total, rows: await withWords(rows) }
}

async function withWords(rows: ListedIncident[]): Promise<WordIncident[]> {
  const words = await Incident.lastWords(rows.map(({ id }) => id))
  return rows.map((row) => ({ ...row, lastWord: words.get(row.id) ?? null }))
}

async function counted(condition: string, order: string, skip: number): Promise<DeskCounts<ListedIncident>> {
  const [rows, total] = await Promise.all([rowsOf(condition, order, skip), howMany(condition)])
  return { total, rows }
}

function rowsOf(condition: string, order: string, skip: number): Promise<ListedIncident[]> {
  return query<ListedIncident>(
    `${listedFrom('incidents')} where ${condition} order by ${order} limit ${deskRows} offset $1`,
    [skip],
  )
}

/** In hand: as the tab "in progress". */
export async function inHand(skip = 0): Promise<DeskCounts<ListedIncident>> {
  const [rows, total] = await Promise.all([inHandRows(skip), howMany(inHandSql)])
  return { total, rows }
}

function inHandRows(skip: number): Promise<ListedIncident[]> {
  return query<ListedIncident>(
    `with first as (${firstInHand}) ${listedFrom('first')} order by i.rank, i.since, i.id limit ${deskRows} offset $2`,
    [skip + deskRows, skip],
  )
}

/** Open with a place, in the order of the tab "new". */
export async function unacknowledged(skip = 0): Promise<DeskCounts<ListedIncident>> {
  const hasPlace = '(i.asset_id is not null or i.unit_id is not null)'
  const [rows, total] = await Promise.all([
    query<ListedIncident>(
      `with due as (${dueSql(hasPlace)}) ${listedFrom('due')}
       order by ${urgencySql}, i.due_at, i.id limit ${deskRows} offset $4`,
      [severities, hoursToAcknowledge(), skip + deskRows, skip],
    ),
    howMany(`${open} and ${hasPlace}`),
  ])
  return { total, rows }
}

async function howMany(condition: string): Promise<number> {
  const [row] = await query<{ total: number }>(
    `select count(*)::integer as total from (
       select from incidents i where ${condition} limit ${countedUpTo + 1}) counted`,
  )
  return row!.total
}

/**
 * Failed deliveries: emails and pushes given up within a week, and receivers whose last delivery
 * failed.
 */
export async function recentFailedDeliveries() {
  const [[messages], receivers] = await Promise.all([
    query<{ count: number }>(
      `select count(*)::integer as count from outbox where failed_at > now() - interval '7 days'`,
    ),
    query<{ id: number; url: string; lastStatus: string; lastFiredAt: Date }>(
      `select id, url, last_status as "lastStatus", last_fired_at as "lastFiredAt" from webhook_subscriptions
       where active and last_status is not null and last_status !~ '^2\\d\\d$' order by last_fired_at desc limit ${deskRows}`,
    ),
  ])
  return { messages: messages!.count, receivers }
}

/** Every window with an occurrence after now, with the name of its asset. */
export function windowsAhead(): Promise<(PlannedWindow & { assetName: string })[]> {
  return query(
    `select w.id, w.asset_id as "assetId", a.name as "assetName", w.title, ${windowTimesSql('w', 'now()')}
     from maintenance_windows w join assets a on a.id = w.asset_id
     where a.archived_at is null and ${endsAfterSql('w', 'now()')}
     order by w.starts_at, w.id`,
  )
}
