import { query } from '../../platform/db/database.js'

/**
 * The latest statement about an incident (decision 7.16): the newest public text of staff or, where
 * `isReopening`, a resident's "not fixed", of which pages say only that and when.
 */
export type LatestStatement = { incidentId: number; body: string; createdAt: Date; isReopening: boolean }

/** Null when no one has said anything that is shown. Never an email's text (decision 7.3). */
export async function latestStatement(incidentId: number): Promise<LatestStatement | null> {
  const [row] = await query<LatestStatement>(
    `select i.id as incident_id, s.body, s.created_at, s.is_reopening
     from incidents i cross join lateral latest_statement(i.id, i.resolved_at) s
     where i.id = $1`,
    [incidentId],
  )
  return row ?? null
}
