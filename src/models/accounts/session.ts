import { query } from '../../database.js'
import { type CurrentUser, current } from './user.js'

/** Days without a request after which a session ends, and its longest life (decision 1.2). */
export const idleDays = 7
export const absoluteDays = 30

/** A live session: what it holds and who it belongs to, read together. */
export type LiveSession = {
  data: Record<string, unknown>
  user: CurrentUser
  lastSeenAt: Date
  authenticatedAt: Date
}

/**
 * The session with this hashed id, unless it is past its life, idle too long, of an older epoch than its user's,
 * or its user is not active. The role is read here, on each request (decision 1.2).
 */
export async function liveSession(idHash: Buffer): Promise<LiveSession | null> {
  const [row] = await query<CurrentUser & Omit<LiveSession, 'user'>>(
    `select s.data, s.last_seen_at as "lastSeenAt", s.authenticated_at as "authenticatedAt", ${current}
     from sessions s join users u on u.id = s.user_id
     where s.id_hash = $1 and s.expires_at > now() and s.last_seen_at > now() - make_interval(days => $2)
       and s.epoch = u.session_epoch and u.active`,
    [idHash, idleDays],
  )
  if (!row) return null
  const { data, lastSeenAt, authenticatedAt, ...user } = row
  return { data, user, lastSeenAt, authenticatedAt }
}

/** A live session as its owner sees it. `id` is made of the stored hash: it opens nothing, and says which one is meant. */
export type ListedSession = {
  id: string
  userAgent: string
  createdAt: Date
  lastSeenAt: Date
  current: boolean
}

/** SQL: how a session of alias `s` is called on its owner's page. */
export const publicSessionId = `left(encode(sha256(s.id_hash), 'hex'), 16)`

/** A person's live sessions: the one they ask with first, then the latest seen. */
export async function sessionsOf(userId: number, mine: Buffer | null): Promise<ListedSession[]> {
  return query(
    `select ${publicSessionId} as id, s.user_agent as "userAgent", s.created_at as "createdAt",
       s.last_seen_at as "lastSeenAt", s.id_hash is not distinct from $2 as current
     from sessions s join users u on u.id = s.user_id
     where s.user_id = $1 and s.expires_at > now() and s.last_seen_at > now() - make_interval(days => $3)
       and s.epoch = u.session_epoch
     order by current desc, s.last_seen_at desc, s.created_at desc`,
    [userId, mine, idleDays],
  )
}

/** Who a session belongs or belonged to, while its row is there and they are active: of one that has ended, too. */
export async function formerUser(idHash: Buffer): Promise<CurrentUser | null> {
  const [user] = await query<CurrentUser>(
    `select ${current} from sessions s join users u on u.id = s.user_id where s.id_hash = $1 and u.active`,
    [idHash],
  )
  return user ?? null
}

/** Stores changed data of a session that exists; one that was ended meanwhile stays ended. */
export async function saveSession(idHash: Buffer, data: Record<string, unknown>): Promise<void> {
  await query('update sessions set data = $2 where id_hash = $1', [idHash, JSON.stringify(data)])
}

/** Notes that the session is in use, so that it does not end for idleness. */
export async function touchSession(idHash: Buffer): Promise<void> {
  await query('update sessions set last_seen_at = now() where id_hash = $1', [idHash])
}
