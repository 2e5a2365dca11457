import type { Change } from '../../../platform/db/change.js'
import type { Query } from '../../../platform/db/database.js'
import type { Person } from '../person.js'

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
