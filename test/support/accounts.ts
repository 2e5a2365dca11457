import { query } from '../../src/platform/db/database.js'
import { accountOf, type Person } from './house/acting.js'
import { linksTo } from './links/guestBrowser.js'

/** Sends what waits and returns the links in it that set a password. */
export const mailedLinks = () => linksTo('/(?:invitation|reset-password)')

/** What the log says was done last to this person. */
export async function lastActOn(
  userId: number,
): Promise<{ action: string; actorId: number | null; changes: unknown }> {
  const rows = await query<{ action: string; actorId: number | null; changes: unknown }>(
    `select action, actor_id, changes from audit_entries
     where entity = 'user' and entity_id = $1 order by id desc limit 1`,
    [userId],
  )
  return rows[0]!
}

/** The number of a person's account, by their address or role. */
export const userIdOf = async (who: string): Promise<number> => (await accountOf(who as Person)).id

/** Gives an account the password of the demo. */
export async function giveDemoPassword(userId: number): Promise<void> {
  await query(
    `update users set password_hash = (select password_hash from users where email = 'manager@example.com')
     where id = $1`,
    [userId],
  )
}

/** As if everyone with a session had signed in just now. */
export async function signInEveryoneAgain(): Promise<void> {
  await query('update sessions set authenticated_at = now()')
}

/** As if someone had used none of their sessions for so long, such as `9 days`. */
export async function leaveSessionsIdle(userId: number, interval: string): Promise<void> {
  await query('update sessions set last_seen_at = now() - $2::interval where user_id = $1', [
    userId,
    interval,
  ])
}

/** As if the sessions of someone had reached the age at which they end. */
export async function outliveSessions(userId: number): Promise<void> {
  await query(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [userId])
}
