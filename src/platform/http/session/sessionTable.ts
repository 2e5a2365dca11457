import { query } from '../../db/database.js'
import { hashOf } from '../../process/hashing.js'
import type { CurrentUser } from '../currentUser.js'

/** Days without a request until a session ends, and its longest lifetime (decision 1.2). */
const idleDays = 7
export const absoluteDays = 30

/** A valid session: its data and its user, read together. */
type LiveSession = {
  data: Record<string, unknown>
  user: CurrentUser
  lastSeenAt: Date
  authenticatedAt: Date
  /** It was started by an identity of a provider that is still linked. */
  byIdentity: boolean
}

/**
 * The session with this hashed id; null when expired, idle too long, of an older epoch than its
 * user's, or its user is inactive. The role is read on each request (decision 1.2).
 */
export async function liveSession(idHash: Buffer): Promise<LiveSession | null> {
  const [row] = await query<CurrentUser & Omit<LiveSession, 'user'> & { provenElsewhere: boolean }>(
    `select s.data, s.last_seen_at, s.authenticated_at, s.identity_id is not null as by_identity,
       s.second_factor as proven_elsewhere, u.*
     from sessions s
     join current_users u on u.id = s.user_id
     where s.id_hash = $1 and s.expires_at > now() and s.last_seen_at > now() - make_interval(days => $2)
       and s.epoch = u.epoch and u.active`,
    [idHash, idleDays],
  )
  if (!row) return null
  const { data, lastSeenAt, authenticatedAt, byIdentity, provenElsewhere, ...user } = row
  const lacksSecondFactor = user.lacksSecondFactor && !provenElsewhere
  return { data, user: { ...user, lacksSecondFactor }, lastSeenAt, authenticatedAt, byIdentity }
}

/** A session as its owner sees it. Its `id`, made of the stored hash, cannot sign anyone in. */
export type ListedSession = {
  id: string
  userAgent: string
  createdAt: Date
  lastSeenAt: Date
  current: boolean
}

/** A user's valid sessions: the current one first, then the latest used. */
export async function sessionsOf(userId: number, mine: Buffer | null): Promise<ListedSession[]> {
  return query(
    `select public_session_id(s.id_hash) as id, s.user_agent, s.created_at, s.last_seen_at,
       s.id_hash is not distinct from $2 as current
     from sessions s join users u on u.id = s.user_id
     where s.user_id = $1 and s.expires_at > now() and s.last_seen_at > now() - make_interval(days => $3)
       and s.epoch = u.session_epoch
     order by current desc, s.last_seen_at desc, s.created_at desc`,
    [userId, mine, idleDays],
  )
}

/** The user of a session, ended or not, while its row exists and the user is active; else null. */
export async function formerUser(idHash: Buffer | null): Promise<CurrentUser | null> {
  if (!idHash) return null
  const [user] = await query<CurrentUser>(
    'select u.* from sessions s join current_users u on u.id = s.user_id where s.id_hash = $1 and u.active',
    [idHash],
  )
  return user ?? null
}

/** Stores a session's data; does nothing when the session is gone. */
export async function saveSession(idHash: Buffer, data: Record<string, unknown>): Promise<void> {
  await query('update sessions set data = $2 where id_hash = $1', [idHash, JSON.stringify(data)])
}

/** Notes that the session is in use, so that it does not end as idle. */
export async function touchSession(idHash: Buffer): Promise<void> {
  await query('update sessions set last_seen_at = now() where id_hash = $1', [idHash])
}

/** What is stored of a browser's cookie: it tells no one that two people share a browser. */
export function knownDeviceHash(userId: number, device: string): Buffer {
  return hashOf(`${userId}:${device}`)
}

/** Whether this user has signed in with this browser before; null is no user, at the same cost. */
export async function isKnownDevice(userId: number | null, device: string): Promise<boolean> {
  const values = [userId, knownDeviceHash(userId ?? 0, device)]
  const rows = await query('select from known_devices where user_id = $1 and device_hash = $2', values)
  return rows.length > 0
}
