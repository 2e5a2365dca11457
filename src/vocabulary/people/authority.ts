import { neededFor } from '../auditActions.js'
import type { Actor } from './actor.js'
import { may, type Permission, type Principal } from './permissions.js'

/** The actor lacks the permission: 403 on every route. `field`: the one they may not change. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden'

  constructor(
    permission: Permission,
    readonly field?: string,
  ) {
    super(permission)
  }
}

/**
 * Throws Forbidden without the permission. The command line and the scheduler may do everything.
 */
export function demand(actor: Actor, permission: Permission, field?: string): void {
  const isInside = actor.type === 'system' && (actor.via === 'cli' || actor.via === 'scheduler')
  if (!isInside && !may(principalOf(actor), permission)) throw new Forbidden(permission, field)
}

/**
 * Throws Forbidden unless the actor may do this act of the audit log. People may change their own
 * account.
 */
export function demandAct(actor: Actor, action: string, entityId: number | null): void {
  const permission = neededFor(action)
  const isOwnAccount = action === 'user.updated' && actor.type === 'user' && entityId === actor.id
  if (permission && !isOwnAccount) demand(actor, permission)
}

/** The channel decides first: neither a mail nor the app's key carries the powers of an account. */
function principalOf({ type, role, via }: Actor): Principal {
  if (via === 'email') return 'inbound'
  if (via === 'mobile' || via === 'cron') return via
  return type === 'user' && role ? role : 'guest'
}
