import { createHash, randomBytes } from 'node:crypto'
import { query } from '../../platform/db/database.js'
import type { Role } from '../../vocabulary/people/permissions.js'

/** The purpose of a one-time link. */
export type Purpose = 'invite' | 'reset'

/** Lifetime of a link, from the moment its mail is written. */
const lives: Record<Purpose, string> = { invite: '7 days', reset: '1 hour' }

/** The user of a valid link. */
export type Holder = { tokenId: number; id: number; name: string; email: string; role: Role }

/**
 * Makes a token (256 random bits, stored only as a hash) while its mail is written. A retry makes
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
export const alive = 'a.used_at is null and a.expires_at > now()'

function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
