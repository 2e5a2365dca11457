import { query } from '../../platform/db/database.js'
import { config } from '../../platform/process/config.js'
import { firstInHand, inHandSql, openSql, takenSql } from '../../status/queries/incidentFacts.js'
import { severities } from '../../vocabulary/severity.js'
import { Incident, type ListedIncident, listedFrom, type TimelineUpdate } from './incident.js'

/** Rows shown of each list of the desk; the others are only counted. */
export const deskRows = 50
/** Counts stop here: with so many, the exact number does not matter. */
export const countedUpTo = 1_000

/**
 * The tabs of the desk, in the order of the page and the JSON (decision 8.5). A report is in one
 * tab.
 */
export const deskTabs = [
  // Reports that are open or have no place: critical and high ones past their target, then other
  // critical ones, then by the time left.
  'new',
  // Words of residents that the office has not reacted to, the longest waiting first.
  'replies',
  // Said not to be fixed, the longest waiting first.
  'reopened',
  // Passed promises, then overdue work, then the reports that have been longest without a staff
  // update: see `firstInHand`.
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
const waitsForNothing = 'i.reopened_at is null and i.unanswered_since is null'

/**
 * A report on the desk. `lastWord`, of lists that show it: the latest word on it that is not the
 * office's; null when that was hidden or never written.
 */
export type DeskIncident = ListedIncident & { lastWord?: TimelineUpdate | null }

/**
 * A list of the desk. `parts`: conditions in SQL that share no row, each with an index of its own.
 */
type DeskList = { parts: readonly string[]; rows(skip: number): Promise<DeskIncident[]> }

const list = (condition: string, order: string): DeskList => ({
  parts: [condition],
  rows: (skip) =>
    query(`${listedFrom('incidents')} where ${condition} order by ${order} limit ${deskRows} offset $1`, [
      skip,
    ]),
})

/** Such a list with the last words, for what waits for an answer. */
const listWithWords = (condition: string, order: string): DeskList => {
  const { parts, rows } = list(condition, order)
  return { parts, rows: async (skip) => withWords(await rows(skip)) }
}

const tabLists: Record<Exclude<DeskTab, 'emails'>, DeskList> = {
  new: { parts: [open, placelessTaken], rows: newRows },
  replies: listWithWords(
    `i.unanswered_since is not null and i.reopened_at is null and ${isTaken}`,
    'i.unanswered_since, i.id',
  ),
  reopened: listWithWords(`i.reopened_at is not null and ${isTaken}`, 'i.reopened_at, i.id'),
  inProgress: { parts: [inHandSql], rows: inHandRows },
  toConfirm: list(
    `i.status = 'resolved' and i.merged_into_id is null and ${waitsForNothing}`,
    'i.resolved_at desc, i.id',
  ),
}

/** SQL: how many are in a list; of each part counted up to one more than `countedUpTo`. */
const countOf = ({ parts }: DeskList) =>
  parts
    .map(
      (condition) =>
        `(select count(*)::integer from (select from incidents i where ${condition} limit ${countedUpTo + 1}) counted)`,
    )
    .join(' + ')

/** How many are in each tab, in one query. */
export async function tabCounts(): Promise<Record<DeskTab, number>> {
  const columns = Object.entries(tabLists).map(([tab, each]) => `${countOf(each)} as "${tab}"`)
  const [row] = await query<Record<DeskTab, number>>(
    `select ${columns.join(', ')}, (select count(*)::integer from held_emails where sorted_at is null) as emails`,
  )
  return row!
}

/** The rows of a tab from `skip` on. */
export async function tabRows(tab: DeskTab, skip: number): Promise<DeskIncident[]> {
  return tab === 'emails' ? [] : tabLists[tab].rows(skip)
}

/** Reads the oldest of each severity by index, so the cost does not grow with the backlog. */
async function newRows(skip: number): Promise<DeskIncident[]> {
  const rows = await query<ListedIncident & { isWaiting: boolean }>(
    `with first as (
       ${dueSql}
       union all
       (select i.*, null from incidents i where ${placelessTaken} order by i.id limit $3)
     )
     ${listedFrom('first', ', coalesce(i.reopened_at, i.unanswered_since) is not null as "isWaiting"')}
     order by ${urgencySql}, i.due_at, i.id limit ${deskRows} offset $4`,
    [severities, hoursToAcknowledge(), skip + deskRows, skip],
  )
  const words = await Incident.lastWords(rows.filter(({ isWaiting }) => isWaiting).map(({ id }) => id))
  return rows.map(({ isWaiting, ...row }) => ({ ...row, lastWord: words.get(row.id) ?? null }))
}

/** Of each of `severities`. */
const hoursToAcknowledge = () => severities.map((severity) => config.slaTargets[severity])

/**
 * SQL: the oldest open incidents of each severity `$1` with their target, `$2` hours after the
 * report.
 */
const dueSql = `
  select w.*, w.created_at + make_interval(secs => 3600 * s.hours) as due_at
  from unnest($1::text[], $2::float8[]) s (severity, hours)
  cross join lateral (
    select i.* from incidents i where ${open} and i.severity = s.severity order by i.created_at limit $3
  ) w`

const urgencySql = `case when i.due_at <= now() and i.severity in ('critical', 'high') then 0
  when i.severity = 'critical' and i.due_at is not null then 1 when i.due_at is not null then 2 else 3 end`

async function withWords(rows: DeskIncident[]): Promise<DeskIncident[]> {
  const words = await Incident.lastWords(rows.map(({ id }) => id))
  return rows.map((row) => ({ ...row, lastWord: words.get(row.id) ?? null }))
}

function inHandRows(skip: number): Promise<ListedIncident[]> {
  return query<ListedIncident>(
    `with first as (${firstInHand}) ${listedFrom('first')} order by i.rank, i.since, i.id limit ${deskRows} offset $2`,
    [skip + deskRows, skip],
  )
}

/**
 * Failed deliveries: emails and pushes given up within a week, and webhooks whose last delivery
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
