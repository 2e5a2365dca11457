import type { Change } from '../../platform/db/change.js'

/**
 * Ends the user's sessions, except the one of this request (decision 1.2), and every mailed
 * link. Returns how many sessions ended.
 */
export async function endSessionsOf(c: Change, id: number): Promise<number> {
  const mine = c.actor.id === id ? (c.actor.sessionHash ?? null) : null
  await c.query('update users set session_epoch = session_epoch + 1 where id = $1', [id])
  const ended = await c.query(
    'delete from sessions where user_id = $1 and id_hash is distinct from $2 returning user_id',
    [id, mine],
  )
  await endBrowsersOf(c, id, mine)
  await c.query(
    'update sessions s set epoch = u.session_epoch from users u where u.id = s.user_id and s.user_id = $1 and s.id_hash = $2',
    [id, mine],
  )
  await endLinksOf(c, id)
  return ended.length
}

/**
 * Browsers of the user get no push messages any more, but for the one of the session `mine`
 * (decision 4.10).
 */
export async function endBrowsersOf(c: Change, id: number, mine: Buffer | null): Promise<void> {
  await c.query(
    `delete from devices where user_id = $1 and platform = 'browser' and ($2::bytea is null or session_hash is distinct from $2)`,
    [id, mine],
  )
}

/** Deletes the links in emails that let this user in. */
export async function endLinksOf(c: Change, id: number): Promise<void> {
  await c.query(`delete from email_links where user_id = $1 and purpose in ('sign_in', 'invite', 'reset')`, [
    id,
  ])
}
