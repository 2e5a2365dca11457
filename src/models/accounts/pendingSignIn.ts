import { query } from '../../database.js'
import { type CurrentUser, current } from './user.js'

/** Minutes a sign-in waits for its code, and wrong codes after which it is over (decision 7.12). */
export const pendingMinutes = 10
export const pendingFailures = 5

/** A right password whose code is still to come: whose it is, what goes on afterwards, and whether it is not over yet. */
export type PendingSignIn = { user: CurrentUser; next: string | null; typed: string | null; waits: boolean }

/** SQL: whether the sign-in of alias `p` by user `u` still waits. */
export const waiting = `p.expires_at > now() and p.failures < ${pendingFailures} and p.epoch = u.session_epoch and u.active`

/** The sign-in under this hashed id, over or not; null when there is none, or no more. */
export async function pendingSignIn(idHash: Buffer): Promise<PendingSignIn | null> {
  const [row] = await query<CurrentUser & Omit<PendingSignIn, 'user'>>(
    `select ${current}, p.next, p.typed, ${waiting} as waits
     from pending_sign_ins p join users u on u.id = p.user_id where p.id_hash = $1`,
    [idHash],
  )
  if (!row) return null
  const { next, typed, waits, ...user } = row
  return { user, next, typed, waits }
}
