import type { Change } from '../../platform/db/change.js'

/**
 * Ends the user's sessions, except the one of this request (decision 1.2), and the emailed
 * links that sign in. Returns how many sessions ended.
 */
export async function endSessionsOf(c: Change, id: number): Promise<number> {
  const ownSession = c.actor.id === id ? (c.actor.sessionHash ?? null) : null
  await c.trx('users').where({ id }).increment('sessionEpoch')
  const ended = await c
    .trx('sessions')
    .where({ userId: id })
    .whereRaw('id_hash is distinct from ?', [ownSession])
    .delete()
  await endBrowsersOf(c, id, ownSession)
  await c.query(
    'update sessions s set epoch = u.session_epoch from users u where u.id = s.user_id and s.user_id = $1 and s.id_hash = $2',
    [id, ownSession],
  )
  await endLinksOf(c, id)
  return ended
}

/**
 * Browsers of the user get no push messages any more, but for the one of the session `ownSession`
 * (decision 4.10).
 */
export async function endBrowsersOf(c: Change, id: number, ownSession: Buffer | null): Promise<void> {
  const browsers = c.trx('devices').where({ userId: id, platform: 'browser' })
  if (ownSession) browsers.whereRaw('session_hash is distinct from ?', [ownSession])
  await browsers.delete()
}

/** Deletes the links in emails that let this user in. */
export async function endLinksOf(c: Change, id: number): Promise<void> {
  await c.trx('email_links').where({ userId: id }).whereIn('purpose', ['sign_in', 'invite', 'reset']).delete()
}
