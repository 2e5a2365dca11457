import { randomUUID } from 'node:crypto'
import { requireOwnName } from '../../building/accountNames.js'
import { type Change, change } from '../../platform/db/change.js'
import { commitWithoutFlush } from '../../platform/db/commitWithoutFlush.js'
import { query } from '../../platform/db/database.js'
import type { Context } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { Problem } from '../../platform/http/problem.js'
import { guestSecretHash } from '../../platform/http/session/browserCookies.js'
import { type EmailLink, mintLink, mintLinks, redeemLink } from '../../platform/links/emailLinks.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { equalTexts } from '../../platform/process/hashing.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { guestReportId, guestReportMinutes, guestReportPrefix } from '../../vocabulary/guestReports.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { emailFollowerAt } from '../users/emailFollower.js'
import { User } from '../users/user.js'

/**
 * A link with one of these purposes, opened in the browser that asked for it. `isAlive`: it still
 * works.
 */
type LinkInThisBrowser<P extends 'sign_in' | 'sign_up'> = {
  link: EmailLink<P>
  next: string | null
  carriedForm: string | null
  isAlive: boolean
}
export type SignInLink = LinkInThisBrowser<'sign_in'> & { user: CurrentUser }
export type SignUpLink = LinkInThisBrowser<'sign_up'> & { address: string }

/**
 * The link, and the account it signs in; null when there is none. How long links work is in
 * `linkPurposes` (vocabulary/email/linkPurposes.ts). Throws 403 in another browser.
 */
export async function signInLink(link: EmailLink<'sign_in'>, ctx: Context): Promise<SignInLink | null> {
  const [row] = await query<CurrentUser & { active: boolean }>('select * from current_users where id = $1', [
    'userId' in link ? link.userId : null,
  ])
  if (!row) return null
  const { active, ...user } = row
  return { ...inThisBrowser(link, ctx, active), user }
}

/** The link, and the address it makes an account for; null when there is none. Throws 403. */
export async function signUpLink(link: EmailLink<'sign_up'>, ctx: Context): Promise<SignUpLink | null> {
  const [row] = await query<{ address: string; isNew: boolean }>(
    'select address, can_sign_up(address) as is_new from email_followers where id = $1',
    ['emailFollowerId' in link ? link.emailFollowerId : null],
  )
  return row ? { ...inThisBrowser(link, ctx, row.isNew), address: row.address } : null
}

/** Throws 403 when another browser asked for the link (decision 7.15). */
function inThisBrowser<P extends 'sign_in' | 'sign_up'>(
  link: EmailLink<P>,
  ctx: Context,
  accountMayUseIt: boolean,
): LinkInThisBrowser<P> {
  const { browser, next, typed: carriedForm } = link.data
  if (!equalTexts(browser, guestSecretHash(ctx)?.toString('base64url') ?? '')) {
    offerAnother(ctx)
    throw new Problem(403, 'sign_in_link_elsewhere')
  }
  return { link, next, carriedForm, isAlive: accountMayUseIt && !link.isOver && !link.isUsed }
}

/**
 * Lets a page that refuses a link offer another, with what this one would have gone on to; not to
 * someone who is signed in.
 */
export function offerAnother(
  ctx: Context,
  { next, carriedForm }: { next: string | null; carriedForm: string | null } = noTarget,
) {
  if (!ctx.state.user) ctx.state.signIn.returnTo ??= { next, carriedForm }
}

const noTarget = { next: null, carriedForm: null }

/**
 * What the link goes on to: a path of ours, and the carried form. `reportId`: a guest's report,
 * kept for another hour; `network`: where it was asked for.
 */
type SignInLinkRequest = {
  email: string
  locale: string
  browser: Buffer
  network: string
  next: string | null
  carriedForm: string | null
  reportId: string | null
}

/**
 * Queues an email with a link for this browser: it signs an active account in, or makes one where
 * anyone may. Neither answer nor time tells which. With `closedToStaff` none of the office gets
 * one (decision 7.20).
 */
export async function askForLink(
  actor: Actor,
  request: SignInLinkRequest,
  closedToStaff: boolean,
): Promise<void> {
  const { email, browser, next, carriedForm, reportId } = request
  await change(actor, async (c) => {
    await commitWithoutFlush(c)
    const [user] = await c.query<{ id: number }>(
      `select u.id from users u
       where lower(u.email) = lower($1) and u.active and not u.is_mobile_reporter
         and (not $2::boolean or not is_staff(u.role) or u.password_open_until > now())`,
      [email, closedToStaff],
    )
    const data = { browser: browser.toString('base64url'), next, typed: carriedForm }
    const linkName = randomUUID()
    // The same statements run without an account, so that the time does not tell.
    await mintLinks(
      user
        ? [
            {
              purpose: 'sign_in',
              who: { userId: user.id },
              data,
              seed: linkName,
              startsWhenEmailIsWritten: true,
            },
          ]
        : [],
      c.query,
    )
    await enqueueEmail(
      c,
      'account.sign_in',
      { users: user ? [user.id] : [] },
      { payload: { link: linkName } },
    )
    const isOffered = !user && (await offerAccount(c, request))
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
async function offerAccount(
  c: Change,
  { email, locale, browser, network, next, reportId }: SignInLinkRequest,
): Promise<boolean> {
  const isNew = await c.query('select where can_sign_up($1)', [email])
  if (isNew.length === 0) return false
  const { id: emailFollowerId } = await emailFollowerAt(c, { address: email, locale })
  const carriedForm = reportId && `${guestReportPrefix}${reportId}`
  const data = { browser: browser.toString('base64url'), next, typed: carriedForm }
  const seed = randomUUID()
  const who = { emailFollowerId }
  await mintLink({ purpose: 'sign_up', who, data, seed, startsWhenEmailIsWritten: true }, c.query)
  await enqueueEmail(
    c,
    'account.sign_up',
    { emailFollower: emailFollowerId },
    { payload: { link: seed, network } },
  )
  return true
}

/**
 * Makes the account of a resident with a name of their own choice behind an emailed link, and uses
 * the link up. Null, and nothing is changed, when the link makes none any more. Throws
 * ValidationFailed.
 */
export async function createOwnAccount(
  actor: Actor,
  { link, address }: SignUpLink,
  { name, locale }: { name: string; locale: string },
): Promise<number | null> {
  return change(actor, async (c) => {
    // First, because it lets one name after another in: of two links of one address the second
    // finds the account.
    await requireOwnName(c, noUser, name)
    const isNew = await c.query('select where can_sign_up($1)', [address])
    if (isNew.length === 0 || !(await redeemLink(c, link))) {
      c.noop()
      return null
    }
    const fields = { name, email: address, role: 'resident', active: true, locale } as const
    const made = await User.query(c.trx)
      .insert({ ...fields, createdAt: c.now })
      .returning('id')
    c.audit('user.signed_up', made.id, changesBetween(null, fields))
    return made.id
  })
}

/** No account's id. */
const noUser = 0

/** Uses a link up; of several presses one succeeds. False when it signs in no more. */
export async function useSignInLink(actor: Actor, { link, user }: SignInLink): Promise<boolean> {
  return change(actor, async (c) => {
    const used = await redeemSignIn(c, link, user.id)
    if (used) c.audit('user.sign_in_link_used', actor.id)
    else c.noop()
    return used
  })
}

/**
 * Uses a link of this account up, by itself or by its code, and forgets the fields of a carried
 * form. False, and nothing is changed, when it signs in no more.
 */
export async function redeemSignIn(c: Change, link: EmailLink<'sign_in'>, userId: number): Promise<boolean> {
  const isReport = guestReportId(link.data.typed) !== null
  const data = { ...link.data, typed: isReport ? link.data.typed : null }
  const active = await c.query('select from users where id = $1 and active for key share', [userId])
  return active.length > 0 && redeemLink(c, link, { data })
}
