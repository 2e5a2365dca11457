import { createHash, randomBytes } from 'node:crypto'
import { query } from '../../database.js'
import type { Role } from '../../domain/accounts/permissions.js'

/** What a one-time link is for. */
export type Purpose = 'invite' | 'reset'

/** How long a link works, counted from the writing of its mail. */
const lives: Record<Purpose, string> = { invite: '7 days', reset: '1 hour' }

/** Who holds a link that still works. */
export type Holder = { tokenId: number; id: number; name: string; email: string; role: Role }

/**
 * Makes a token for a mail that is being written: 256 random bits, of which only the hash is stored. Bookkeeping of that
 * delivery, like the row it comes from; a further attempt makes another one, and both work until one is used.
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

/** Who a token is for; null when it was never made, was used, is too old, or its account is not active. */
export async function holderOf(token: string, purpose: Purpose): Promise<Holder | null> {
  const rows = await query<Holder>(
    `select a.id as "tokenId", u.id, u.name, u.email, u.role from account_tokens a join users u on u.id = a.user_id
     where a.token_hash = $1 and a.purpose = $2 and ${alive} and u.active`,
    [tokenHash(token), purpose],
  )
  return rows[0] ?? null
}

/** SQL: whether the token of alias `a` can still be used. */
export const alive = 'a.used_at is null and a.expires_at > now()'

function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
