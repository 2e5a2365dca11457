import { query } from '../../database.js'
import { isStaffSql } from '../accounts/user.js'

/** What the office last wrote on an incident's timeline for everybody to read. */
export type StaffWord = { incidentId: number; body: string; createdAt: Date }

/**
 * Null when it has written nothing yet. What somebody of the staff wrote without a name is no word of the office, and
 * neither is a mail: whose it is, is never as sure as with a session (decision 7.3).
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
