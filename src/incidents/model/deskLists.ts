import { query } from '../../platform/db/database.js'
import { config } from '../../platform/process/config.js'
import { severities, slaHours } from '../../vocabulary/severity.js'
import type { ListedIncident } from './entity.js'
import { type InternalNote, lastAssigneeNotes } from './notes.js'
import { lastComments, type TimelineUpdate } from './timeline/timelineEntries.js'

/**
 * Rows that a tab shows at once. The SQL below has the number as a literal, which tells PostgreSQL
 * how little is read.
 */
export const rowsPerPage = 50

/**
 * Counts stop one above this, which the SQL has as a literal as well: with so many, the exact
 * number does not matter.
 */
export const countedUpTo = 1_000

/**
 * The tabs of the desk, in the order of the page and the JSON (decision 8.5). A report is in one
 * tab.
 */
export const deskTabs = [
  // Reports that are open, critical ones first and then by the time left, the overdue before the
  // others; then those that have no place (decision 9.16).
  'new',
  // Words of residents that the office has not reacted to, the longest waiting first.
  'replies',
  // Said not to be fixed, the longest waiting first.
  'reopened',
  // Passed promises, then overdue work, then the reports that have been longest without a staff
  // update: see `inHandSql`.
  'inProgress',
  // Marked as fixed and not yet confirmed, latest first.
  'toConfirm',
  // Held emails, newest first, on a page of their own.
  'emails',
] as const

export type DeskTab = (typeof deskTabs)[number]

/**
 * A report on the desk. `lastWord`, of lists that show it: the latest word on it that is not the
 * office's; null when that was hidden or never written. `lastNote`, of the same lists: the latest
 * reply of an assignee outside the building.
 */
export type DeskIncident = ListedIncident & {
  lastWord?: TimelineUpdate | null
  lastNote?: InternalNote | null
}

/**
 * How many are in each tab, in one query: each part, which has an index of its own, is counted up
 * to 1,001. A report that was taken up without a place is sorted with the new ones. What belongs
 * to a tab is a function of the database, the same here and where its rows are read.
 */
export async function tabCounts(): Promise<Record<DeskTab, number>> {
  const [row] = await query<Record<DeskTab, number>>(tabCountsSql)
  return row!
}

const tabCountsSql = `
  select
    (select count(*)::integer from (
      select from incidents i where is_open(i) limit 1001
    ) opened) + (select count(*)::integer from (
      select from incidents i where is_placeless(i) limit 1001
    ) placeless) as new,
    (select count(*)::integer from (
      select from incidents i where is_unanswered(i) limit 1001
    ) unanswered) as replies,
    (select count(*)::integer from (
      select from incidents i where is_reopened(i) limit 1001
    ) reopened) as reopened,
    (select count(*)::integer from (
      select from incidents i where is_in_hand(i) limit 1001
    ) in_hand) as in_progress,
    (select count(*)::integer from (
      select from incidents i where is_unconfirmed(i) limit 1001
    ) unconfirmed) as to_confirm,
    (select count(*)::integer from held_emails where sorted_at is null) as emails`

/** The rows of a tab from `skip` on. */
export async function tabRows(tab: DeskTab, skip: number): Promise<DeskIncident[]> {
  return tab === 'emails' ? [] : rowsOfTab[tab](skip)
}

const rowsOfTab: Record<Exclude<DeskTab, 'emails'>, (skip: number) => Promise<DeskIncident[]>> = {
  new: newRows,
  replies: async (skip) => addLastComments(await query(repliesSql, [skip])),
  reopened: async (skip) => addLastComments(await query(reopenedSql, [skip])),
  inProgress: inHandRows,
  toConfirm: (skip) => query(toConfirmSql, [skip]),
}

const repliesSql = `
  select l.* from incidents i join listed_incidents l on l.id = i.id
  where is_unanswered(i)
  order by i.unanswered_since, i.id limit 50 offset $1`

const reopenedSql = `
  select l.* from incidents i join listed_incidents l on l.id = i.id
  where is_reopened(i)
  order by i.reopened_at, i.id limit 50 offset $1`

const toConfirmSql = `
  select l.* from incidents i join listed_incidents l on l.id = i.id
  where is_unconfirmed(i)
  order by i.resolved_at desc, i.id limit 50 offset $1`

async function newRows(skip: number): Promise<DeskIncident[]> {
  const rows = await query<ListedIncident & { isWaiting: boolean }>(newSql, [
    severities,
    slaHours(config.slaTargets),
    skip + rowsPerPage,
    skip,
  ])
  const waiting = rows.filter(({ isWaiting }) => isWaiting).map(({ id }) => id)
  return addLastComments(
    rows.map(({ isWaiting, ...row }) => row),
    waiting,
  )
}

/**
 * Open reports and those that were taken up without a place, in the order of the tab "new". Takes
 * the severities, the hours to acknowledge each, the rows read of each, and the rows skipped. The
 * oldest of each severity are read by index, so the cost does not grow with the backlog.
 */
const newSql = `
  with first as (
    select w.id, w.created_at + make_interval(secs => 3600 * s.hours) as due_at
    from unnest($1::text[], $2::float8[]) s (severity, hours)
    cross join lateral (
      select i.id, i.created_at from incidents i
      where is_open(i) and i.severity = s.severity
      order by i.created_at limit $3
    ) w
    union all
    (
      select i.id, null from incidents i
      where is_placeless(i)
      order by i.id limit $3
    )
  )
  select l.*, coalesce(i.reopened_at, i.unanswered_since) is not null as is_waiting
  from first f
  join incidents i on i.id = f.id
  join listed_incidents l on l.id = f.id
  order by case
      when i.severity = 'critical' and f.due_at is not null then 0
      when f.due_at is not null then 1
      else 2
    end, f.due_at, i.id
  limit 50 offset $4`

/**
 * Adds the latest words of others than the office to those rows that wait for an answer: by
 * default all of them.
 */
async function addLastComments(
  rows: readonly DeskIncident[],
  waitingIds = rows.map(({ id }) => id),
): Promise<DeskIncident[]> {
  const [words, notes] = await Promise.all([lastComments(waitingIds), lastAssigneeNotes(waitingIds)])
  return rows.map((row) => ({
    ...row,
    lastWord: words.get(row.id) ?? null,
    lastNote: notes.get(row.id) ?? null,
  }))
}

function inHandRows(skip: number): Promise<ListedIncident[]> {
  return query<ListedIncident>(inHandSql, [skip + rowsPerPage, skip])
}

/**
 * Incidents in hand: passed promises, then overdue work, then the longest without a staff update.
 * Each part reads the first rows of its index, so the cost does not grow with the backlog.
 */
const inHandSql = `
  with first as (
    select distinct on (id) id, rank, since from (
      (
        select i.id, 0 as rank, i.expected_back_at as since from incidents i
        where i.expected_back_at <= now() and i.merged_into_id is null and is_in_hand(i)
        order by i.expected_back_at limit $1
      )
      union all
      (
        select i.id, 1, i.due_on::timestamptz from incidents i
        where i.due_on < (select (now() at time zone timezone)::date from properties)
          and i.resolved_at is null and i.merged_into_id is null and is_in_hand(i)
        order by i.due_on limit $1
      )
      union all
      (
        select i.id, 2, coalesce(i.last_staff_update_at, i.acknowledged_at) from incidents i
        where is_in_hand(i)
        order by coalesce(i.last_staff_update_at, i.acknowledged_at) limit $1
      )
    ) parts order by id, rank
  )
  select l.*
  from first f
  join listed_incidents l on l.id = f.id
  order by f.rank, f.since, f.id
  limit 50 offset $2`
