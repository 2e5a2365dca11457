import type { Change } from '../../platform/db/change.js'
import { hasSecondFactorSql, isStaffSql } from '../../platform/http/session/user.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { configuredIssuer } from './identityProvider.js'

/**
 * Where the house demands a second factor, a linked member of the staff without one sets it up only
 * in a session started at the provider, or by a password of the command line (decision 7.20).
 * Throws Conflict.
 */
export async function requireProviderSession(c: Change): Promise<void> {
  const issuer = configuredIssuer()
  if (issuer === null) return
  const [closed] = await c.query(
    `select from users u
     where u.id = $1 and ${isStaffSql('u')} and not ${hasSecondFactorSql('u')}
       and exists (select from properties where second_factor_required = 'staff')
       and (u.password_open_until is null or u.password_open_until <= now())
       and exists (select from identities i where i.user_id = u.id and rtrim(i.issuer, '/') = rtrim($2, '/'))
       and not exists (select from sessions s where s.id_hash = $3 and s.identity_id is not null)`,
    [c.actor.id, issuer, c.actor.sessionHash ?? null],
  )
  if (closed) throw new Conflict('second_factor_elsewhere')
}
