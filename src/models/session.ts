import { query } from '../database.js'
import { type CurrentUser, current } from './user.js'

/** Days without a request after which a session ends, and its longest life (decision 1.2). */
export const idleDays = 7
export const absoluteDays = 30

/** A live session: what it holds and who it belongs to, read together. */
export type LiveSession = { data: Record<string, unknown>; user: CurrentUser; lastSeenAt: Date }

/**
 * The session with this hashed id, unless it is past its life, idle too long, of an older epoch than its user's,
 * or its user is not active. The role is read here, on each request (decision 1.2).
 */
export async function liveSession(idHash: Buffer): Promise<LiveSession | null> {
  const [row] = await query<CurrentUser & { data: Record<string, unknown>; lastSeenAt: Date }>(
    `select s.data, s.last_seen_at as "lastSeenAt", ${current}
     from sessions s join users u on u.id = s.user_id
     where s.id_hash = $1 and s.expires_at > now() and s.last_seen_at > now() - make_interval(days => $2)
       and s.epoch = u.session_epoch and u.active`,
    [idHash, idleDays],
  )
  if (!row) return null
  const { data, lastSeenAt, ...user } = row
  return { data, user, lastSeenAt }
}

/** Stores changed data of a session that exists; one that was ended meanwhile stays ended. */
export async function saveSession(idHash: Buffer, data: Record<string, unknown>): Promise<void> {
  await query('update sessions set data = $2 where id_hash = $1', [idHash, JSON.stringify(data)])
}

/** Notes that the session is in use, so that it does not end for idleness. */
export async function touchSession(idHash: Buffer): Promise<void> {
  await query('update sessions set last_seen_at = now() where id_hash = $1', [idHash])
}
