import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { requireOwnName } from '../../platform/http/session/personNames.js'
import { type CurrentUser, current, isStaffSql, User } from '../../platform/http/session/user.js'
import { enqueueSql } from '../../platform/outbox/enqueueEmail.js'
import { changesBetween } from '../../vocabulary/audit.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { mailFollowerAt } from '../people/emailAddress.js'
import { guestReportMinutes } from '../signIn/carriedForm.js'
import { commitUnhurried } from './accountLinks.js'

/** Minutes a mailed link signs in, from the moment its email is written (decision 7.15). */
const linkMinutes = 15

const unused = `l.used_at is null and l.mailed_at > now() - interval '${linkMinutes} minutes'`

/** SQL: whether the link with alias `l` of user `u` still signs in. */
const linkAlive = `${unused} and u.active`

/** SQL: whether anyone may make an account, and no one has one with this address. */
const isNewSql = (address: string) => `exists (select from properties where sign_up = 'anybody')
  and not exists (select from users where lower(email) = lower(${address}))`

/** SQL: whether an account can still be made behind the link with alias `l`. */
const signUpAlive = `${unused} and ${isNewSql('l.address')}`

/**
 * A link that signs in by email. `isHere`: it was asked for in this browser; `isAlive`: it still
 * signs in.
 */
export type SignInLink = {
  user: CurrentUser
  next: string | null
  typed: string | null
  isHere: boolean
  isAlive: boolean
}

/**
 * The link with this id; null when there is none. `browser`: the hash of the secret of the browser
 * that opens it.
 */
export async function signInLink(id: string, browser: Buffer | null): Promise<SignInLink | null> {
  const [row] = await query<CurrentUser & Omit<SignInLink, 'user'>>(
    `select ${current}, l.next, l.typed, coalesce(l.browser_hash = $2, false) as "isHere", coalesce(${linkAlive}, false) as "isAlive"
     from sign_in_links l join users u on u.id = l.user_id where l.id = $1`,
    [id, browser],
  )
  if (!row) return null
  const { next, typed, isHere, isAlive, ...user } = row
  return { user, next, typed, isHere, isAlive }
}

/** A link behind which someone without an account makes one; as SignInLink. */
type SignUpLink = { address: string } & Omit<SignInLink, 'user'>

/** As `signInLink`, for someone without an account. */
export async function signUpLink(id: string, browser: Buffer | null): Promise<SignUpLink | null> {
  const [row] = await query<SignUpLink>(
    `select l.address, l.next, l.typed, coalesce(l.browser_hash = $2, false) as "isHere",
       coalesce(${signUpAlive}, false) as "isAlive"
     from sign_in_links l where l.id = $1 and l.address is not null`,
    [id, browser],
  )
  return row ?? null
}

/**
 * The link's time starts while its email is written, and not again when the email is tried again.
 * Returns when it ends; null when it is gone.
 */
export async function beginLink(id: string): Promise<Date | null> {
  const [row] = await query<{ until: Date }>(
    `update sign_in_links set mailed_at = coalesce(mailed_at, now()) where id = $1
     returning mailed_at + make_interval(mins => $2) as until`,
    [id, linkMinutes],
  )
  return row?.until ?? null
}

/**
 * What the link goes on to: a path of ours, and what was typed before. `reportId`: a guest's
 * report, kept for another hour.
 */
type Asked = {
  email: string
  locale: string
  browser: Buffer
  next: string | null
  typed: string | null
  reportId: string | null
}

/** SQL: what an email with a link says, made of the row `asked` at `$5`. */
const withLink = { payload: `jsonb_build_object('link', id)`, createdAt: '$5::timestamptz' }

/**
 * Queues an email with a link for this browser: it signs an active account in, or makes one where
 * anyone may. Neither answer nor time tells which. With `closedToStaff` none of the office gets
 * one (decision 7.20).
 */
export async function askForLink(actor: Actor, asked: Asked, closedToStaff: boolean): Promise<void> {
  const { email, browser, next, typed, reportId } = asked
  await change(actor, async (c) => {
    await commitUnhurried(c)
    const [user] = await c.query<{ id: number }>(
      `with asked as (
         insert into sign_in_links (user_id, browser_hash, next, typed, created_at)
         select u.id, $2, $3, $4, $5::timestamptz from users u
         where lower(u.email) = lower($1) and u.active and not u.is_mobile_reporter
           and (not $6::boolean or not ${isStaffSql('u')} or u.password_open_until > now())
         returning id, user_id
       )
       ${enqueueSql({ event: `'account.sign_in'`, userId: 'user_id', ...withLink }, 'from asked')}
       returning recipient_id as id`,
      [email, browser, next, typed, c.now, closedToStaff],
    )
    const isOffered = !user && (await offerAccount(c, asked))
    // At most once a minute, because each time leaves an audit entry.
    const extended = await c.query(
      `update guest_reports set kept_at = $3 where id = $1::uuid and browser_hash = $2 and user_id is null
         and kept_at > $3::timestamptz - make_interval(mins => $4)
         and kept_at < $3::timestamptz - interval '1 minute' returning 1`,
      [reportId, browser, c.now, guestReportMinutes],
    )
    if (user || isOffered || extended.length > 0) c.audit('user.sign_in_link_asked', user?.id ?? null)
    else c.noop()
  })
}

/** Queues the link that makes an account. False when the address has one, or not everyone may. */
async function offerAccount(c: Change, { email, locale, browser, next, reportId }: Asked): Promise<boolean> {
  const isNew = await c.query(`select where ${isNewSql('$1::text')}`, [email])
  if (isNew.length === 0) return false
  const id = await mailFollowerAt(c, { address: email, locale })
  await c.query(
    `with asked as (
       insert into sign_in_links (address, browser_hash, next, typed, created_at)
       select f.address, $2, $3, 'report:' || $4::text, $5::timestamptz from mail_followers f
       where f.id = $1
       returning id
     )
     ${enqueueSql({ event: `'account.sign_up'`, followerId: '$1', ...withLink }, 'from asked')}`,
    [id, browser, next, reportId, c.now],
  )
  return true
}

/**
 * Makes the account of a resident with a name of their own choice behind a mailed link, and uses
 * the link up. Null, and nothing is changed, when the link makes none any more. Throws
 * ValidationFailed.
 */
export async function createOwnAccount(
  actor: Actor,
  { id, browser, name, locale }: { id: string; browser: Buffer; name: string; locale: string },
): Promise<number | null> {
  return change(actor, async (c) => {
    // First, because it lets one name after another in: of two links of one address the second
    // finds the account.
    await requireOwnName(c, nobody, name)
    const [used] = await c.query<{ address: string }>(
      `update sign_in_links l set used_at = $3 where id = $1 and browser_hash = $2 and ${signUpAlive}
       returning address`,
      [id, browser, c.now],
    )
    if (!used) {
      c.noop()
      return null
    }
    const fields = { name, email: used.address, role: 'resident', active: true, locale } as const
    const made = await User.query(c.trx)
      .insert({ ...fields, createdAt: c.now })
      .returning('id')
    c.audit('user.signed_up', made.id, changesBetween(null, fields))
    return made.id
  })
}

/** No account's id. */
const nobody = 0

/**
 * Uses a link up, in the browser that asked for it, and forgets a form typed before; of several
 * presses one succeeds. False, and nothing is changed, when it signs in no more.
 */
export async function useLink(actor: Actor, id: string, browser: Buffer): Promise<boolean> {
  return change(actor, async (c) => {
    const used = await c.query(
      `update sign_in_links l set used_at = $3, typed = case when l.typed like 'report:%' then l.typed end from users u
       where l.id = $1 and l.browser_hash = $2 and u.id = l.user_id and ${linkAlive} returning 1`,
      [id, browser, c.now],
    )
    if (used.length === 0) c.noop()
    else c.audit('user.sign_in_link_used', actor.id)
    return used.length > 0
  })
}
