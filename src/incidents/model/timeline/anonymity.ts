import type { Change } from '../../../platform/db/change.js'
import type { Bind } from '../../../platform/db/statement.js'
import type { Query } from '../../../platform/db/database.js'
import { officeName } from '../../../vocabulary/people/personName.js'
import type { Author, Person } from '../person.js'

/** Whether the incident or one of its duplicates was reported anonymously. */
export async function hasAnonymousReport(query: Query, incidentId: number): Promise<boolean> {
  const rows = await query(
    'select from incidents i where (i.id = $1 or i.merged_into_id = $1) and i.is_anonymous limit 1',
    [incidentId],
  )
  return rows.length > 0
}

/** Whether someone reported the incident, or one of its duplicates, anonymously (decision 2.9). */
export async function isAnonymousReporter(c: Change, incidentId: number, person: Person): Promise<boolean> {
  if (!person) return false
  const rows = await c.query(
    `select from incidents
     where (id = $1::integer or merged_into_id = $1) and is_anonymous and reporter_id = $2::integer limit 1`,
    [incidentId, person.id],
  )
  return rows.length > 0
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
export function publicLabel(bind: Bind, incidentId: number, author: Author): string {
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
export function isAnonymous(bind: Bind, incidentId: number, author: Author): string {
  const reports = anonymousReports(`${bind(incidentId)}::integer`)
  return `(not ${bind(author.isOffice ?? false)}::boolean and exists (
    select from ${reports} and i.reporter_id = ${bind(author.id)}::integer))`
}
