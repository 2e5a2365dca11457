import { query } from '../../database.js'

/** The office's latest entry about an incident for the status page. */
export type StaffWord = { incidentId: number; body: string; createdAt: Date }

/** What is being done, in the office's words (decision 7.16); null when there are none. Never words by mail (7.3). */
export async function latestStaffWord(incidentId: number): Promise<StaffWord | null> {
  const [row] = await query<StaffWord>(
    `select $1::integer as "incidentId", w.body, w.created_at as "createdAt" from ${staffWordSql('$1')} w`,
    [incidentId],
  )
  return row ?? null
}

/** SQL: the latest entry of the office on an incident that it shows on the status page, as a row or none. */
export const staffWordSql = (incidentId: string) => `(
  select p.body, p.created_at
  from incident_updates p
  where p.incident_id = ${incidentId} and p.on_status_page and not p.is_anonymous and p.body <> ''
  order by p.id desc limit 1)`
