import type { Change } from '../../../platform/db/change.js'
import { insertRow } from '../../../platform/db/insertRow.js'
import type { Bind } from '../../../platform/db/statement.js'
import type { ClosingReason, Status } from '../../../vocabulary/lifecycle.js'
import { officeName } from '../../../vocabulary/people/personName.js'
import { type Author, isOffice, personOf } from '../person.js'

/** What an entry says; `automatic`: the words are the service's own. */
export type NewEntry = {
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
 * SQL: the anonymous reports among the incident, its duplicates and one more. Both ids are SQL of
 * an integer.
 */
const anonymousReports = (incidentId: string, duplicateId = 'null::integer') => `incidents i
  where (i.id in (${incidentId}, ${duplicateId}) or i.merged_into_id in (${incidentId}, ${duplicateId}))
    and i.is_anonymous`

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
 * SQL: the time of an entry, never before the latest one of the incident: an act that waited for
 * another's lock started earlier but comes after it.
 */
const entryTime = (bind: Bind, incidentId: number, now: Date) => `greatest(${bind(now)}::timestamptz,
  (select created_at from incident_updates where incident_id = ${bind(incidentId)} order by id desc limit 1))`

/** Adds a timeline entry by any author. Returns its id. */
export async function writeEntry(
  c: Change,
  incidentId: number,
  author: Author,
  entry: NewEntry,
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
