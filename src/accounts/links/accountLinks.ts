import { createHash, randomBytes } from 'node:crypto'
import { Property } from '../../building/building.js'
import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { enqueueSql } from '../../platform/outbox/enqueueEmail.js'
import { changesBetween } from '../../vocabulary/audit.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { demoPassword } from '../../vocabulary/people/demo.js'
import { passwordProblem } from '../../vocabulary/people/password.js'
import type { Role } from '../../vocabulary/people/permissions.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { endSessions } from '../people/accounts.js'
import { enqueueNotice } from '../signIn/notices.js'
import { hashPassword } from '../signIn/passwords.js'

/** The purpose of a one-time link. */
export type Purpose = 'invite' | 'reset'

/** Lifetime of a link, from the moment its email is written. */
const lives: Record<Purpose, string> = { invite: '7 days', reset: '1 hour' }

/** The user of a valid link. */
export type Holder = { tokenId: number; id: number; name: string; email: string; role: Role }

/**
 * Makes a token (256 random bits, stored only as a hash) while its email is written. A retry makes
 * another token; both work until one is used. Writes no audit entry.
 */
export async function mintToken(
  userId: number,
  purpose: Purpose,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const [row] = await query<{ expiresAt: Date }>(
    `insert into account_tokens (user_id, purpose, token_hash, expires_at)
     values ($1, $2, $3, now() + $4::interval) returning expires_at as "expiresAt"`,
    [userId, purpose, tokenHash(token), lives[purpose]],
  )
  return { token, expiresAt: row!.expiresAt }
}

/** The user of a token; null when it is unknown, used or expired, or the account is inactive. */
export async function holderOf(token: string, purpose: Purpose): Promise<Holder | null> {
  const rows = await query<Holder>(
    `select a.id as "tokenId", u.id, u.name, u.email, u.role from account_tokens a join users u on u.id = a.user_id
     where a.token_hash = $1 and a.purpose = $2 and ${alive} and u.active`,
    [tokenHash(token), purpose],
  )
  return rows[0] ?? null
}

/** SQL: whether the token with alias `a` is still valid. */
const alive = 'a.used_at is null and a.expires_at > now()'

function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** No one may choose one of this many commonest passwords (decision 7.12). */
const refused = 10_000

let list: Promise<readonly string[]> | null = null

/** Commonest first. Loaded on first use, because few processes need the list. */
export function commonPasswords(): Promise<readonly string[]> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) =>
    dictionary['passwords-common'].slice(0, refused).map(String),
  )
  return list
}

let common: Promise<ReadonlySet<string>> | null = null

/**
 * Hashes a new password, after checking it against common ones, the person's name and email, and
 * the building's own words (decision 7.12). Throws ValidationFailed at `password`.
 */
export async function newPasswordHash(
  password: string,
  { name, email }: { name: string; email: string },
): Promise<string> {
  common ??= commonPasswords().then((list) => new Set(list.map((each) => each.toLowerCase())))
  const property = await Property.query().select('name', 'address').first()
  // The demo's password has the product's name in it.
  const house = [property?.name ?? '', property?.address ?? '', demoPassword]
  const problem = passwordProblem(password, { person: { name, email }, house, common: await common })
  if (problem) throw new ValidationFailed({ password: [problem] })
  return hashPassword(password)
}

/**
 * Makes the commit not wait for the disk: the time of an answer must not tell addresses apart.
 * If the database server crashes within a second, the email is lost and has to be asked for again.
 */
export async function commitUnhurried(c: Change): Promise<void> {
  await c.query('set local synchronous_commit to off')
}

/**
 * Queues a reset email when an active account has this address. Otherwise the same statement runs
 * and nothing is stored; neither answer nor time tells which (decision 1.1).
 */
export async function requestReset(actor: Actor, email: string): Promise<void> {
  await change(actor, async (c) => {
    await commitUnhurried(c)
    const [user] = await c.query<{ id: number }>(
      `${enqueueSql(
        { event: `'account.reset'`, userId: 'u.id', createdAt: '$2::timestamptz' },
        'from users u where lower(u.email) = lower($1) and u.active and not u.is_mobile_reporter',
      )}
       returning recipient_id as id`,
      [email, c.now],
    )
    if (user) c.audit('user.reset_requested', user.id)
    else c.noop()
  })
}

const acts = { invite: 'user.invitation_accepted', reset: 'user.password_reset' } as const

/**
 * Sets the password chosen through a link; the link works once, and all other links and sessions
 * end. Returns the user to sign in. Throws ValidationFailed, and NotFound for an invalid link.
 */
export async function usePasswordLink(
  { token, purpose, password }: { token: string; purpose: Purpose; password: string },
  actorOf: (holder: Holder) => Actor,
): Promise<Holder> {
  const holder = orNotFound(await holderOf(token, purpose))
  const passwordHash = await newPasswordHash(password, holder)
  await change(actorOf(holder), async (c) => {
    const [before] = await c.query<{ passwordHash: string | null }>(
      'select password_hash as "passwordHash" from users where id = $1 and active for no key update',
      [holder.id],
    )
    const [used] = await c.query(
      `update account_tokens a set used_at = now() where a.id = $1 and ${alive} returning 1`,
      [holder.tokenId],
    )
    orNotFound(used)
    await c.query('update users set password_hash = $2 where id = $1', [holder.id, passwordHash])
    await endSessions(c, holder.id)
    if (purpose === 'reset') await enqueueNotice(c, holder.id, 'password_changed')
    c.audit(
      acts[purpose],
      holder.id,
      changesBetween({ password: orNotFound(before).passwordHash }, { password: passwordHash }),
    )
  })
  return holder
}
