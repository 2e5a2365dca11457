import { query } from '../../platform/db/database.js'
import type { Role } from '../../vocabulary/people/permissions.js'

/** An identity of a provider that signs in to an account, as its owner sees it. */
export type LinkedIdentity = {
  id: number
  issuer: string
  /** The address the provider named when it was linked. */
  email: string | null
  createdAt: Date
  lastUsedAt: Date | null
}

/** The identities linked to an account, oldest first. */
export async function identitiesOf(userId: number): Promise<LinkedIdentity[]> {
  return query(
    `select id, issuer, email, created_at as "createdAt", last_used_at as "lastUsedAt"
     from identities where user_id = $1 order by id`,
    [userId],
  )
}

/** The sealed ID token of the session with this hashed id; null when it has none. */
export async function idTokenOf(idHash: Buffer): Promise<Buffer | null> {
  const [row] = await query<{ idToken: Buffer | null }>(
    'select id_token as "idToken" from sessions where id_hash = $1',
    [idHash],
  )
  return row?.idToken ?? null
}

/** The account behind an identity, or behind the address it proved. */
export type KnownPerson = { userId: number; name: string; role: Role; active: boolean; linked: boolean }

/**
 * The person this subject of an issuer is linked to or, without a link, who has `address`; null:
 * no one here.
 */
export async function personBehind(
  { iss, sub }: { iss: string; sub: string },
  address: string | null,
): Promise<KnownPerson | null> {
  const [person] = await query<KnownPerson>(
    `select u.id as "userId", u.name, u.role, u.active, i.id is not null as linked
     from users u left join identities i on i.user_id = u.id and i.issuer = $1 and i.subject = $2
     where not u.is_mobile_reporter and (i.id is not null or lower(u.email) = lower($3::text))
     order by linked desc limit 1`,
    [iss, sub, address],
  )
  return person ?? null
}
