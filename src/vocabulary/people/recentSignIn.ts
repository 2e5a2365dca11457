import type { Changes } from '../audit.js'
import { freshRules } from '../auditActions.js'
import { own } from '../collections.js'
import type { Actor } from './actor.js'

/** Minutes for which a sign-in with password and code counts as recent (decision 7.12). */
export const freshMinutes = 10

/** The act needs a recent sign-in: 403, nothing stored. */
export class SignInAgain extends Error {
  override readonly name = 'SignInAgain'
}

/**
 * Throws SignInAgain if the act needs a recent sign-in. Asked for every audit entry, so that no new
 * route can forget it. `now`: by the database's clock.
 */
export function requireFresh(actor: Actor, act: string, changes: Changes, now: Date): void {
  if (actor.type === 'system' || !own(freshRules, act)?.(changes)) return
  const age = now.getTime() - (actor.authenticatedAt?.getTime() ?? 0)
  if (age > freshMinutes * 60_000) throw new SignInAgain(act)
}

/** Whether there is a rule for this act. */
export function mayNeedFresh(act: string): boolean {
  return Object.hasOwn(freshRules, act)
}
