import type { Change } from '../../platform/db/change.js'
import { columnOf } from '../../platform/db/fieldNames.js'
import { insertRow } from '../../platform/db/insertRow.js'
import { type Bind, statement } from '../../platform/db/statement.js'
import { config } from '../../platform/process/config.js'
import type { ClosingReason, Status } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff, type Role } from '../../vocabulary/people/permissions.js'
import { officeName } from '../../vocabulary/people/personName.js'
import { type SlaTargets, severities } from '../../vocabulary/severity.js'
import type { IncidentColumns } from './entity.js'

/** What an entry says; `automatic`: the words are the service's own. */
export type Entry = {
  body: string
  /** What staff read instead. */
  bodyForStaff?: string | null
  newStatus?: Status | null
  onStatusPage?: boolean
  automatic?: boolean | undefined
  expectedBackAt?: Date | null
  statusReason?: string | null
  closingReason?: ClosingReason | null
}

/**
 * Adds a timeline entry in the service's own words about what the change's actor did.
 * `duplicateId`: the other incident that it is about, if that is not merged into this one while it
 * is written.
 */
export async function addAutomaticEntry(
  c: Change,
  incidentId: number,
  body: string,
  duplicateId: number | null = null,
): Promise<number> {
  const author = { id: c.actor.id, label: c.actor.name, isOffice: isOffice(personOf(c)), duplicateId }
  return writeEntry(c, incidentId, author, { body, automatic: true })
}

/**
 * Author of an entry. `label`: shown when there is no user. `email`: an email's sender, for staff;
 * `isProven`: whether that is proven. `via`: how the words came, if not as the change did.
 * `isOffice`: it is an act of the office, not what its reporter or another resident writes.
 * `duplicateId`: another incident that the entry is about.
 */
export type Author = {
  id: number | null
  label: string
  email?: string | null
  isProven?: boolean | null
  via?: Actor['via']
  isOffice?: boolean
  duplicateId?: number | null
}

/**
 * SQL: the anonymous reports among the incident, its duplicates and one more. Both ids are SQL of
 * an integer.
 */
const anonymousReports = (incidentId: string, duplicateId = 'null::integer') => `incidents i
  where (i.id in (${incidentId}, ${duplicateId}) or i.merged_into_id in (${incidentId}, ${duplicateId}))
    and i.is_anonymous`

/** Whether someone reported the incident, or one of its duplicates, anonymously (decision 2.9). */
export async function isHiddenReporter(c: Change, incidentId: number, by: Person): Promise<boolean> {
  if (!by) return false
  const rows = await c.query(
    `select from incidents
     where (id = $1::integer or merged_into_id = $1) and is_anonymous and reporter_id = $2::integer limit 1`,
    [incidentId, by.id],
  )
  return rows.length > 0
}

/**
 * SQL: the label of an entry as others than staff read it (decisions 2.9, 9.9). On an anonymous
 * report every act of the office is signed by the office, whoever acts, because a name would show
 * that this person is not the reporter.
 */
function publicLabel(bind: Bind, incidentId: number, author: Author): string {
  const duplicateId = `${bind(author.duplicateId ?? null)}::integer`
  const reports = anonymousReports(`${bind(incidentId)}::integer`, duplicateId)
  const ownLabel = author.id === null ? author.label : null
  return `case
    when ${bind(author.isOffice ?? false)}::boolean and exists (select from ${reports}) then '${officeName}'
    else ${bind(ownLabel)}::text end`
}

/**
 * SQL: whether an entry is anonymous, as what the reporter of an anonymous report writes is. This
 * is stored with the entry: roles change, and hiding earlier names after a merge would reveal who
 * reported the duplicate.
 */
function isAnonymous(bind: Bind, incidentId: number, author: Author): string {
  const reports = anonymousReports(`${bind(incidentId)}::integer`)
  return `(not ${bind(author.isOffice ?? false)}::boolean and exists (
    select from ${reports} and i.reporter_id = ${bind(author.id)}::integer))`
}

/**
 * SQL: the time of an entry. Of two acts that waited for each other the later one has the later
 * entry, even if it started before.
 */
const entryTime = (bind: Bind, incidentId: number, now: Date) => `greatest(${bind(now)}::timestamptz,
  (select created_at from incident_updates where incident_id = ${bind(incidentId)} order by id desc limit 1))`

/** Adds a timeline entry by any author. Returns its id. */
export async function writeEntry(
  c: Change,
  incidentId: number,
  author: Author,
  entry: Entry,
): Promise<number> {
  const row = {
    incidentId,
    authorId: author.id,
    authorLabel: (bind: Bind) => publicLabel(bind, incidentId, author),
    isAnonymous: (bind: Bind) => isAnonymous(bind, incidentId, author),
    authorEmail: author.email ?? null,
    senderProven: author.isProven ?? null,
    via: author.via ?? c.actor.via,
    createdAt: (bind: Bind) => entryTime(bind, incidentId, c.now),
    body: entry.body,
    bodyForStaff: entry.bodyForStaff ?? null,
    newStatus: entry.newStatus ?? null,
    closingReason: entry.closingReason ?? null,
    statusReason: entry.statusReason ?? null,
    expectedBackAt: entry.expectedBackAt ?? null,
    onStatusPage: entry.onStatusPage ?? false,
    automatic: entry.automatic ?? false,
  }
  const [written] = await insertRow<{ id: number }>(c, 'incident_updates', row, 'returning id')
  return written!.id
}

/**
 * Writes columns of a locked incident. `isMove`: its status changes, so that leaving "open" for the
 * first time after the target is recorded as a breach (decision 7.1). Returns whether the incident
 * has breached its target, or nothing when there was nothing to write.
 */
export async function writeColumns(
  c: Change,
  incidentId: number,
  columns: Partial<IncidentColumns>,
  isMove = false,
): Promise<{ slaBreached?: boolean }> {
  if (Object.keys(columns).length === 0) return {}
  const { text, values } = statement((bind) => {
    const assignments = Object.entries(columns).map(([name, value]) => `${columnOf(name)} = ${bind(value)}`)
    if (isMove) assignments.push(lateAcknowledgementSql(bind, columns.acknowledgedAt))
    return `update incidents i set ${assignments.join(', ')} where i.id = ${bind(incidentId)}
      returning i.sla_breached`
  })
  const [stored] = await c.query<{ slaBreached: boolean }>(text, values)
  return stored!
}

/** The hours of the targets, the mildest severity first, as `is_past_target` takes them. */
export const hoursOf = (targets: SlaTargets): number[] => severities.map((severity) => targets[severity])

/**
 * SQL: sets the columns of a breach, when the first status after "open" comes after the target
 * (decision 7.1).
 */
function lateAcknowledgementSql(bind: Bind, acknowledgedAt: Date | null | undefined): string {
  const hours = `${bind(hoursOf(config.slaTargets))}::float8[]`
  const at = `${bind(acknowledgedAt)}::timestamptz`
  const isFirst = 'i.sla_breached_at is null and i.acknowledged_at is null'
  const breachedAt = `case
    when ${isFirst} and is_past_target(i.created_at, i.severity, ${hours}, ${at}) then ${at}
    else i.sla_breached_at end`
  return `sla_breached_at = ${breachedAt}, sla_breached = (${breachedAt}) is not null`
}

/**
 * Someone who wrote or acted: an account, or null for an unknown sender of an email. Without a
 * role: not staff.
 */
export type Person = { id: number; role?: Role } | null

/** Whether a member of staff wrote or acted. */
export const isOffice = (by: Person) => by?.role !== undefined && isStaff(by.role)

/** The actor of the change; null for the system. */
export function personOf({ actor: { id, role } }: Change): Person {
  return id === null || role === null ? null : { id, role }
}

/**
 * Staff who act on an incident follow it from then on, unless they unfollowed it (decision 7.2);
 * they do not count as affected. Others who act go on following after a merge that brought them is
 * undone (decision 2.5). Needs the lock.
 */
export async function followByActing(c: Change, incidentId: number, by: Person): Promise<void> {
  if (!by) return
  if (isOffice(by)) await c.query(followSql, [incidentId, by.id, c.now])
  else await c.trx('followers').where({ incidentId, userId: by.id, byMerge: true }).update({ byMerge: false })
}

const followSql = `
  insert into followers (incident_id, user_id, created_at)
  select $1::integer, $2::integer, $3::timestamptz
  where not exists (select from unfollows where incident_id = $1 and user_id = $2)
  on conflict (incident_id, user_id) do update set by_merge = false where followers.by_merge`

/** Something on the incident waits for an answer by the office. */
export async function markUnanswered(c: Change, incidentId: number): Promise<void> {
  await c.query('update incidents set unanswered_since = coalesce(unanswered_since, $2) where id = $1', [
    incidentId,
    c.now,
  ])
}

/**
 * The office has reacted, or the repair is confirmed: the incident leaves the desk's lists of what
 * came back and of unanswered words.
 */
export async function markAnswered(c: Change, incidentId: number): Promise<void> {
  await c
    .trx('incidents')
    .where({ id: incidentId })
    .where((incident) => incident.whereNotNull('reopenedAt').orWhereNotNull('unansweredSince'))
    .update({ reopenedAt: null, unansweredSince: null })
}
