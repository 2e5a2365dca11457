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
    `select $1::integer as "incidentId", w.body, w.created_at as "createdAt" from ${staffWordSql('$1')} w`,
    [incidentId],
  )
  return row ?? null
}

/** SQL: the latest public entry of staff on an incident, as a row or none: never what a merge wrote (decision 7.16). */
export const staffWordSql = (incidentId: string) => `(
  select p.body, p.created_at
  from incident_updates p join users u on u.id = p.author_id
  where p.incident_id = ${incidentId} and p.via in ('web', 'mobile') and ${isStaffSql('u')} and not p.is_anonymous
    and p.body <> '' and not exists (select from merges m where m.update_id = p.id)
  order by p.id desc limit 1)`
