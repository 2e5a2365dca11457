import type { Change } from '../../platform/db/change.js'
import { config } from '../../platform/process/config.js'
import { Conflict } from '../../vocabulary/conflict.js'

/**
 * Where the building demands a second factor, a linked member of the staff without one sets it up
 * only in a session started at the provider, or by a password of the command line (decision 7.20).
 * Throws Conflict.
 */
export async function requireProviderSession(c: Change): Promise<void> {
  const issuer = config.singleSignOn?.issuer
  if (!issuer) return
  const [closed] = await c.query(
    `select from users u
     join current_users c on c.id = u.id
     where u.id = $1 and c.lacks_second_factor
       and (u.password_open_until is null or u.password_open_until <= now())
       and exists (select from identities i where i.user_id = u.id and rtrim(i.issuer, '/') = rtrim($2, '/'))
       and not exists (select from sessions s where s.id_hash = $3 and s.identity_id is not null)`,
    [c.actor.id, issuer, c.actor.sessionHash ?? null],
  )
  if (closed) throw new Conflict('second_factor_elsewhere')
}
