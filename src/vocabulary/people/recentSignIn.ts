import type { Changes } from '../audit.js'
import type { Act } from '../auditActions.js'
import type { Actor } from './actor.js'

/** Minutes for which a sign-in with password and code counts as recent (decision 7.12). */
export const freshMinutes = 10

type Rule = (changes: Changes) => boolean
const always: Rule = () => true
const never: Rule = () => false
const changing =
  (...fields: string[]): Rule =>
  (changes) =>
    fields.some((field) => Object.hasOwn(changes, field))

/**
 * Acts that need a recent sign-in: those by which a stranger at an unattended browser could take
 * over or create an account. Checked for every audit entry, so that no new route can forget it.
 */
export const freshRules: Record<Extract<Act, `user.${string}`> | 'property.updated', Rule> = {
  'property.updated': changing('secondFactorRequired', 'signUp'),
  'user.all_invited': never,
  'user.code_accepted': never,
  'user.code_asked': never,
  'user.code_refused': never,
  'user.created': ({ role }) => role?.after !== 'resident',
  'user.deleted': always,
  'user.erased': always,
  'user.followed': never,
  'user.identities_removed': always,
  'user.identity_link_started': always,
  // The provider has just signed its owner in, or the act before it was checked.
  'user.identity_linked': never,
  'user.identity_unlinked': always,
  'user.invitation_accepted': never,
  'user.invited': never,
  'user.made_admin': always,
  // Its form asks for the current password.
  'user.password_changed': never,
  'user.password_reset': never,
  'user.recovery_code_used': never,
  'user.recovery_codes_made': always,
  'user.reset_requested': never,
  'user.reset_sent': never,
  'user.resubscribed': never,
  'user.role_mapped': never,
  'user.second_factor_off': always,
  'user.second_factor_on': always,
  'user.second_factor_reset': always,
  'user.second_factor_started': always,
  'user.session_ended': always,
  'user.sign_in_link_asked': never,
  'user.sign_in_link_used': never,
  'user.signed_in': never,
  'user.signed_in_again': never,
  'user.signed_out': never,
  'user.signed_out_elsewhere': always,
  'user.signed_out_everywhere': always,
  'user.signed_up': never,
  'user.unfollowed': never,
  'user.unsubscribed': never,
  'user.updated': changing('email', 'role', 'active', 'password'),
}

/** The act needs a recent sign-in: 403, nothing stored. */
export class SignInAgain extends Error {
  override readonly name = 'SignInAgain'
}

/** Throws SignInAgain if the act needs a recent sign-in. `now`: by the database's clock. */
export function requireFresh(actor: Actor, act: string, changes: Changes, now: Date): void {
  if (actor.type === 'system' || !mayNeedFresh(act) || !freshRules[act](changes)) return
  const age = now.getTime() - (actor.authenticatedAt?.getTime() ?? 0)
  if (age > freshMinutes * 60_000) throw new SignInAgain(act)
}

/** Whether there is a rule for this act. */
export function mayNeedFresh(act: string): act is keyof typeof freshRules {
  return Object.hasOwn(freshRules, act)
}
