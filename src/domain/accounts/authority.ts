import { neededFor } from '../audit/auditActions.js'
import type { Actor } from './actor.js'
import { may, type Permission, type Principal } from './permissions.js'

/** Somebody tried what is not theirs to do: 403, whichever route let them come so far. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden'
}

/** Refuses what the actor does not hold the permission for. Whoever runs the service from inside may do everything. */
export function demand(actor: Actor, permission: Permission): void {
  const isInside = actor.type === 'system' && (actor.via === 'cli' || actor.via === 'scheduler')
  if (!isInside && !may(principalOf(actor), permission)) throw new Forbidden(permission)
}

/** Refuses an act, as the audit log names it, that only some may do; people may change their own account. */
export function demandAct(actor: Actor, action: string, entityId: number | null): void {
  const permission = neededFor(action)
  const isOwnAccount = action === 'user.updated' && actor.type === 'user' && entityId === actor.id
  if (permission && !isOwnAccount) demand(actor, permission)
}

/** By the channel first: neither a mail nor the app's key gives anybody the powers of an account. */
function principalOf({ type, role, via }: Actor): Principal {
  if (via === 'email') return 'inbound'
  if (via === 'mobile' || via === 'cron') return via
  return type === 'user' && role ? role : 'guest'
}
