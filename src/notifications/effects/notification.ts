import { query } from '../../platform/db/database.js'
import { isStaffSql } from '../../platform/http/session/user.js'
import { type NotificationSetting, notificationSettings } from '../../vocabulary/notifications.js'

/**
 * SQL: whether the user wants this notification; must match `wants`. A value that is neither true
 * nor false counts as not set and is never an error: broken settings must not fail another user's
 * report.
 */
export function wantsSql(user: string, setting: NotificationSetting): string {
  const { byDefault } = notificationSettings[setting]
  return `${user}.notifications -> '${setting}' is ${byDefault ? '' : 'not '}distinct from '${!byDefault}'::jsonb`
}

/** SQL: active staff who want this mail. Used for new reports. */
export function staffWantingSql(user: string, setting: NotificationSetting): string {
  return `${user}.active and ${isStaffSql(user)} and ${wantsSql(user, setting)}`
}

/** Whether the user follows the incident, or the one it was merged into. */
export async function follows(userId: number, incidentId: number): Promise<boolean> {
  return (await followedAmong(userId, [incidentId])).has(incidentId)
}

/** Those of the incidents that the user follows, themselves or as what they were merged into. */
export async function followedAmong(userId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await query<{ id: number }>(
    `select distinct i.id from followers f join incidents i on f.incident_id in (i.id, i.merged_into_id)
     where i.id = any ($1) and f.user_id = $2`,
    [ids, userId],
  )
  return new Set(rows.map(({ id }) => id))
}
