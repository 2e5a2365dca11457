import type { Change } from '../../platform/db/change.js'
import { config } from '../../platform/process/config.js'
import { Conflict } from '../../vocabulary/conflict.js'

/**
 * Whether an identity of this issuer is of the configured provider; a slash after a bare host makes
 * no difference.
 */
export function isConfiguredIssuer(issuer: string): boolean {
  const configured = config.singleSignOn?.issuer
  return configured !== undefined && new URL(configured).href === new URL(issuer).href
}

/**
 * Where the building demands a second factor, a linked member of the staff without one sets it up
 * only in a session started at the provider, or by a password of the command line (decision 7.20).
 * Throws Conflict.
 */
export async function requireProviderSession(c: Change): Promise<void> {
  if (!config.singleSignOn) return
  const identities = await c.query<{ issuer: string }>(
    `select i.issuer from users u
     join current_users c on c.id = u.id
     join identities i on i.user_id = u.id
     where u.id = $1 and c.lacks_second_factor
       and (u.password_open_until is null or u.password_open_until <= now())
       and not exists (select from sessions s where s.id_hash = $2 and s.identity_id is not null)`,
    [c.actor.id, c.actor.sessionHash ?? null],
  )
  if (identities.some(({ issuer }) => isConfiguredIssuer(issuer)))
    throw new Conflict('second_factor_elsewhere')
}
