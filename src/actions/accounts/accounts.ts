import type { Change } from '../../change.js'
import type { Role } from '../../domain/accounts/permissions.js'
import { Conflict } from '../../domain/system/conflict.js'

/** A row of `users` as the acts on accounts need it, locked. */
export type Account = {
  id: number
  name: string
  email: string
  role: Role
  active: boolean
  unitId: number | null
  locale: string
  passwordHash: string | null
  isMobileReporter: boolean
}

/**
 * The account, locked together with every active admin's, always in the order of their ids: whoever takes an admin away
 * sees those that are left, however many do it at once. Those that mint sessions need not wait.
 */
export async function lockedAccount(
  c: Change,
  id: number,
): Promise<{ account: Account | null; otherAdmins: number }> {
  const rows = await c.query<Account>(
    `select id, name, email, role, active, unit_id as "unitId", locale, password_hash as "passwordHash",
       is_mobile_reporter as "isMobileReporter"
     from users where id = $1 or (role = 'admin' and active) order by id for no key update`,
    [id],
  )
  return {
    account: rows.find((row) => row.id === id) ?? null,
    otherAdmins: rows.filter((row) => row.id !== id).length,
  }
}

/** Throws where nobody could look after the accounts any more. */
export function requireAdmin(before: Account, after: Account | null, otherAdmins: number): void {
  const isAdmin = (account: Account | null) => account?.role === 'admin' && account.active
  if (isAdmin(before) && !isAdmin(after) && otherAdmins === 0) throw new Conflict('last_admin')
}

/** The account behind the app's key is nobody's to change. */
export function requirePerson({ isMobileReporter }: Account): void {
  if (isMobileReporter) throw new Conflict('mobile_reporter')
}

/**
 * Ends the sessions of an account, but not the one that the person themself is asking with (decision 1.2), and every
 * link that was mailed to it. Returns how many sessions ended.
 */
export async function endSessions(c: Change, id: number): Promise<number> {
  const mine = c.actor.id === id ? (c.actor.sessionHash ?? null) : null
  await c.query('update users set session_epoch = session_epoch + 1 where id = $1', [id])
  const ended = await c.query(
    'delete from sessions where user_id = $1 and id_hash is distinct from $2 returning user_id',
    [id, mine],
  )
  await c.query(
    'update sessions s set epoch = u.session_epoch from users u where u.id = s.user_id and s.user_id = $1 and s.id_hash = $2',
    [id, mine],
  )
  await endLinks(c, id)
  return ended.length
}

/** Makes every invitation and reset link of an account useless. */
export async function endLinks(c: Change, id: number): Promise<void> {
  await c.query('delete from account_tokens where user_id = $1 and used_at is null', [id])
}

/** Leaves a mail to the person; the link in it is made when it is written. */
export async function leaveAccountMail(
  c: Change,
  id: number,
  event: 'account.invited' | 'account.reset',
): Promise<void> {
  await c.query(
    `insert into outbox (kind, event, recipient_id, created_at, next_attempt_at) values ('mail', $2, $1, $3, $3)`,
    [id, event, c.now],
  )
}
