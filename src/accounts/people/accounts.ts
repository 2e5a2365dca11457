import type { Change } from '../../platform/db/change.js'
import { User } from '../../platform/http/session/user.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { orNotFound } from '../../vocabulary/validation.js'

/** A locked row of `users` with the columns account actions need. */
export type Account = Pick<
  User,
  'id' | 'name' | 'email' | 'role' | 'active' | 'unitId' | 'locale' | 'passwordHash' | 'isMobileReporter'
>

/**
 * Locks the account, if it is not erased, and every active admin, in id order, so that concurrent
 * removals each count the admins left. New sessions are not blocked.
 */
export async function lockedAccount(
  c: Change,
  id: number,
): Promise<{ account: Account | null; otherAdmins: number }> {
  const rows = await c.query<Account>(
    `select id, name, email, role, active, unit_id as "unitId", locale, password_hash as "passwordHash",
       is_mobile_reporter as "isMobileReporter"
     from users where (id = $1 and erased_at is null) or (role = 'admin' and active) order by id for no key update`,
    [id],
  )
  return {
    account: rows.find((row) => row.id === id) ?? null,
    otherAdmins: rows.filter((row) => row.id !== id).length,
  }
}

/**
 * Locks the account of a person as `lockedAccount` does. Throws NotFound, and Conflict as
 * `requirePerson` does.
 */
export async function lockedPerson(
  c: Change,
  id: number,
): Promise<{ account: Account; otherAdmins: number }> {
  const { account, otherAdmins } = await lockedAccount(c, id)
  const person = orNotFound(account)
  requirePerson(person)
  return { account: person, otherAdmins }
}

/** Locks the actor's own account. Throws NotFound when it was erased since the request began. */
export async function lockedSelf(c: Change): Promise<User> {
  return orNotFound(await User.query(c.trx).findById(c.actor.id!).whereNull('erasedAt').forNoKeyUpdate())
}

/** Whether no active admin would be left. */
export function isLastAdmin(before: Account, after: Account | null, otherAdmins: number): boolean {
  const isAdmin = (account: Account | null) => account?.role === 'admin' && account.active
  return isAdmin(before) && !isAdmin(after) && otherAdmins === 0
}

/** Throws Conflict when no active admin would be left. */
export function requireAdmin(before: Account, after: Account | null, otherAdmins: number): void {
  if (isLastAdmin(before, after, otherAdmins)) throw new Conflict('last_admin')
}

/**
 * Throws Conflict for the Mobile Reporter, the shared account of the app, which no one may change.
 */
export function requirePerson({ isMobileReporter }: Account): void {
  if (isMobileReporter) throw new Conflict('mobile_reporter')
}

/**
 * Ends the account's sessions, except the one of this request (decision 1.2), and every mailed
 * link. Returns how many sessions ended.
 */
export async function endSessions(c: Change, id: number): Promise<number> {
  const mine = c.actor.id === id ? (c.actor.sessionHash ?? null) : null
  await c.query('update users set session_epoch = session_epoch + 1 where id = $1', [id])
  const ended = await c.query(
    'delete from sessions where user_id = $1 and id_hash is distinct from $2 returning user_id',
    [id, mine],
  )
  await endBrowsers(c, id, mine)
  await c.query(
    'update sessions s set epoch = u.session_epoch from users u where u.id = s.user_id and s.user_id = $1 and s.id_hash = $2',
    [id, mine],
  )
  await endLinks(c, id)
  return ended.length
}

/**
 * Browsers of the account get no push messages any more, but for the one of the session `mine`
 * (decision 4.10).
 */
export async function endBrowsers(c: Change, id: number, mine: Buffer | null): Promise<void> {
  await c.query(
    `delete from devices where user_id = $1 and platform = 'browser' and ($2::bytea is null or session_hash is distinct from $2)`,
    [id, mine],
  )
}

/** Deletes the links in emails that let into an account. */
export async function endLinks(c: Change, id: number): Promise<void> {
  await c.query(`delete from email_links where user_id = $1 and purpose in ('sign_in', 'invite', 'reset')`, [
    id,
  ])
}

/**
 * The person with this email address and without an account, in the folding of the database; made
 * when new. `wrote`: they wrote to us, so they may be answered (decision 7.4). `clicked`: they have
 * pressed a button in our emails.
 */
export async function emailFollowerAt(
  c: Change,
  { address, locale, wrote = false }: { address: string; locale: string; wrote?: boolean },
): Promise<{ id: number; clicked: boolean }> {
  const [row] = await c.query<{ id: number; clicked: boolean }>(
    `insert into mail_followers as m (address, locale, wrote_at, created_at)
     values ($1, $2, case when $3::boolean then $4::timestamptz end, $4)
     on conflict (lower(address)) do update set wrote_at = coalesce(m.wrote_at, excluded.wrote_at)
     returning id, clicked_at is not null as clicked`,
    [address, locale, wrote, c.now],
  )
  return row!
}
