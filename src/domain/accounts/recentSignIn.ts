import type { Changes } from '../audit/audit.js'
import type { Act } from '../audit/auditActions.js'
import type { Actor } from './actor.js'

/** Minutes after somebody gave password and code in which they may do what the rules below ask it for (decision 7.12). */
export const freshMinutes = 10

type Rule = (changes: Changes) => boolean
const always: Rule = () => true
const never: Rule = () => false
const changing =
  (...fields: string[]): Rule =>
  (changes) =>
    fields.some((field) => Object.hasOwn(changes, field))

/**
 * Which acts on accounts need a sign-in of the last ten minutes: everything by which somebody at a browser that was left
 * open could take an account over, or make one of the office's. Beside the permissions: those say who, this says when.
 * The door for writes asks it of every audit entry, so a new way to do the same cannot forget it.
 */
export const freshRules: Record<Extract<Act, `user.${string}`> | 'property.updated', Rule> = {
  'property.updated': changing('secondFactorRequired'),
  'user.code_accepted': never,
  'user.code_asked': never,
  'user.code_refused': never,
  'user.created': ({ role }) => role?.after !== 'resident',
  'user.deleted': always,
  'user.invitation_accepted': never,
  'user.invited': never,
  'user.made_admin': always,
  // Its form asks for the password there is.
  'user.password_changed': never,
  'user.password_reset': never,
  'user.recovery_code_used': never,
  'user.recovery_codes_made': always,
  'user.reset_requested': never,
  'user.reset_sent': never,
  'user.resubscribed': never,
  'user.second_factor_off': always,
  'user.second_factor_on': always,
  'user.second_factor_reset': always,
  'user.second_factor_started': always,
  'user.session_ended': always,
  'user.signed_in': never,
  'user.signed_in_again': never,
  'user.signed_out': never,
  'user.signed_out_elsewhere': always,
  'user.signed_out_everywhere': always,
  'user.unsubscribed': never,
  'user.updated': changing('email', 'role', 'active', 'password'),
}

/** Thrown where somebody must sign in again before they may do this: 403, nothing stored. */
export class SignInAgain extends Error {
  override readonly name = 'SignInAgain'
}

/** Throws SignInAgain for an act of a person whose last sign-in is too long ago for it. `now`: the database's clock. */
export function requireFresh(actor: Actor, act: string, changes: Changes, now: Date): void {
  if (actor.type === 'system' || !mayNeedFresh(act) || !freshRules[act](changes)) return
  const age = now.getTime() - (actor.authenticatedAt?.getTime() ?? 0)
  if (age > freshMinutes * 60_000) throw new SignInAgain(act)
}

/** Whether there is a rule for this act. */
export function mayNeedFresh(act: string): act is keyof typeof freshRules {
  return Object.hasOwn(freshRules, act)
}
