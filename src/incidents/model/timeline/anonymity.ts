import type { Query } from '../../../platform/db/database.js'

/** Whether the incident or one of its duplicates was reported anonymously. */
export async function hasAnonymousReport(query: Query, incidentId: number): Promise<boolean> {
  const rows = await query(
    'select from incidents i where (i.id = $1 or i.merged_into_id = $1) and i.is_anonymous limit 1',
    [incidentId],
  )
  return rows.length > 0
}

/**
 * How this person has reported the incident or one of its duplicates: `anonymous` where one of
 * these reports is, because what they write here is anonymous then (decision 2.9).
 */
export async function reportingOf(
  query: Query,
  incidentId: number,
  userId: number,
): Promise<'none' | 'byName' | 'anonymous'> {
  const reports = await query<{ isAnonymous: boolean }>(
    `select is_anonymous from incidents
     where (id = $1::integer or merged_into_id = $1) and reporter_id = $2::integer`,
    [incidentId, userId],
  )
  if (reports.length === 0) return 'none'
  return reports.some(({ isAnonymous }) => isAnonymous) ? 'anonymous' : 'byName'
}
