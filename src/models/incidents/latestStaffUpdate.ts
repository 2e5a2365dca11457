import { query } from '../../database.js'

/** The office's latest entry about an incident for the status page. */
export type StaffWord = { incidentId: number; body: string; createdAt: Date }

/** What is being done, in the office's words (decision 7.16); null when there are none. Never words by mail (7.3). */
export async function latestStaffWord(incidentId: number): Promise<StaffWord | null> {
  const [row] = await query<StaffWord>(
    `select p.incident_id as "incidentId", p.body, p.created_at as "createdAt"
     from incident_updates p
     where p.incident_id = $1 and p.on_status_page and not p.is_anonymous and p.body <> ''
     order by p.id desc limit 1`,
    [incidentId],
  )
  return row ?? null
}
