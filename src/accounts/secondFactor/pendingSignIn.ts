import { query } from '../../platform/db/database.js'
import { type CurrentUser, current } from '../../platform/http/session/user.js'
import type { ProviderProof } from '../../vocabulary/people/identity.js'

/**
 * Minutes a pending sign-in waits for its code, and the number of wrong codes that end it (decision
 * 7.12).
 */
export const pendingMinutes = 10
export const pendingFailures = 5

/**
 * A sign-in with a right password or identity, waiting for its code; `waits`: whether it is still
 * valid, `next`: where to go then, `proof`: of the identity, null with a password.
 */
export type PendingSignIn = {
  user: CurrentUser
  next: string | null
  typed: string | null
  waits: boolean
  proof: ProviderProof | null
}

/** SQL: whether the pending sign-in `p` of user `u` is still valid. */
export const pendingCondition = `p.expires_at > now() and p.failures < ${pendingFailures} and p.epoch = u.session_epoch and u.active`

/** The pending sign-in with this hashed id, valid or not; null when there is none. */
export async function pendingSignIn(idHash: Buffer): Promise<PendingSignIn | null> {
  type Proven = { identityId: number | null; idToken: Buffer | null; authenticatedAt: Date | null }
  const [row] = await query<CurrentUser & Proven & Omit<PendingSignIn, 'user' | 'proof'>>(
    `select ${current}, p.next, p.typed, ${pendingCondition} as waits,
       p.identity_id as "identityId", p.id_token as "idToken", p.authenticated_at as "authenticatedAt"
     from pending_sign_ins p join users u on u.id = p.user_id where p.id_hash = $1`,
    [idHash],
  )
  if (!row) return null
  const { next, typed, waits, identityId, idToken, authenticatedAt, ...user } = row
  // A code is asked for only where the provider proved no second factor.
  const proof = identityId === null ? null : { identityId, idToken, authenticatedAt, secondFactor: false }
  return { user, next, typed, waits, proof }
}
