import { query } from '../../database.js'
import { isStaffSql } from '../accounts/user.js'

/** The office's latest public entry on an incident's timeline. */
export type StaffWord = { incidentId: number; body: string; createdAt: Date }

/**
 * Null when there is none. Excludes anonymous entries of staff, and mails, whose author is never as certain as
 * with a session (decision 7.3).
 */
export async function latestStaffWord(incidentId: number): Promise<StaffWord | null> {
  const [row] = await query<StaffWord>(
    `select p.incident_id as "incidentId", p.body, p.created_at as "createdAt"
     from incident_updates p join users u on u.id = p.author_id
     where p.incident_id = $1 and p.via in ('web', 'mobile') and ${isStaffSql('u')} and not p.is_anonymous and p.body <> ''
     order by p.id desc limit 1`,
    [incidentId],
  )
  return row ?? null
}
