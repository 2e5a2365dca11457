import type { Changes } from './audit.js'
import { own } from './collections.js'
import type { Permission } from './people/permissions.js'

/** Acts on incidents, each with the permission it needs; null: everyone who may write may do it. */
const incidentActs = {
  commented: null,
  confirmation_undone: null,
  cost_added: 'cost.manage',
  cost_restored: 'cost.manage',
  cost_voided: 'cost.manage',
  created: null,
  dismissed: 'incident.dismiss',
  edited: 'incident.edit',
  followed: null,
  hidden: 'incident.hide',
  merged: 'incident.merge',
  noted: 'note.write',
  reinstated: 'incident.dismiss',
  reopened: null,
  restored: 'incident.hide',
  seen: 'incident.edit',
  sla_breached: null,
  status_changed: 'incident.setStatus',
  unfollowed: null,
  unmerged: 'incident.merge',
  verified: null,
} as const satisfies Record<string, Permission | null>

/** Whether an act with these changes needs a recent sign-in. */
type FreshRule = (changes: Changes) => boolean
const always: FreshRule = () => true
const never: FreshRule = () => false
const changing =
  (...fields: string[]): FreshRule =>
  (changes) =>
    fields.some((field) => Object.hasOwn(changes, field))

type AccountAct = { fresh: FreshRule; permission?: Permission; endsSessions?: true }

/**
 * Acts on accounts. `fresh`: those by which a stranger at an unattended browser could take over or
 * create an account need a recent sign-in. `endsSessions`: sessions of the account end.
 */
const accountActs = {
  code_accepted: { fresh: never },
  code_asked: { fresh: never },
  code_refused: { fresh: never },
  all_invited: { fresh: never, permission: 'user.manage' },
  created: { fresh: ({ role }) => role?.after !== 'resident', permission: 'user.manage' },
  deleted: { fresh: always, permission: 'user.manage', endsSessions: true },
  erased: { fresh: always, endsSessions: true },
  followed: { fresh: never },
  identities_removed: { fresh: always, permission: 'user.manage', endsSessions: true },
  identity_link_started: { fresh: always },
  // The provider has just signed its owner in, or the act before it was checked.
  identity_linked: { fresh: never },
  identity_unlinked: { fresh: always, endsSessions: true },
  invitation_accepted: { fresh: never, endsSessions: true },
  invited: { fresh: never, permission: 'user.manage' },
  made_admin: { fresh: always, permission: 'user.manage', endsSessions: true },
  // Its form asks for the current password.
  password_changed: { fresh: never, endsSessions: true },
  password_reset: { fresh: never, endsSessions: true },
  recovery_code_used: { fresh: never },
  recovery_codes_made: { fresh: always },
  reset_requested: { fresh: never },
  reset_sent: { fresh: never, permission: 'user.manage' },
  resubscribed: { fresh: never },
  role_mapped: { fresh: never, endsSessions: true },
  second_factor_off: { fresh: always, endsSessions: true },
  second_factor_on: { fresh: always, endsSessions: true },
  second_factor_reset: { fresh: always, permission: 'user.manage', endsSessions: true },
  second_factor_started: { fresh: always },
  session_ended: { fresh: always, endsSessions: true },
  sign_in_code_refused: { fresh: never },
  sign_in_code_used: { fresh: never },
  sign_in_link_asked: { fresh: never },
  sign_in_link_used: { fresh: never },
  signed_in: { fresh: never },
  signed_in_again: { fresh: never },
  signed_out: { fresh: never, endsSessions: true },
  signed_out_elsewhere: { fresh: always, endsSessions: true },
  signed_out_everywhere: { fresh: always, permission: 'user.manage', endsSessions: true },
  signed_up: { fresh: never },
  unfollowed: { fresh: never },
  unsubscribed: { fresh: never },
  updated: { fresh: changing('email', 'role', 'active', 'password'), permission: 'user.manage' },
} as const satisfies Record<string, AccountAct>

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[]

/** The acts of each entity, as the audit log names them. */
const acts = {
  asset: ['archived', 'created', 'deleted', 'status_changed', 'unarchived', 'undeleted', 'updated'],
  contact: ['created', 'deleted', 'moved', 'undeleted', 'updated'],
  device: ['registered', 'removed'],
  digest: ['sent'],
  feature_flag: ['updated'],
  guest_report: ['kept', 'sent'],
  incident: namesOf(incidentActs),
  // The log only grows: entries about emails keep the entities `mail` and `mail_follower`.
  mail: ['accepted', 'discarded', 'held', 'noted', 'ignored'],
  mail_follower: ['asked', 'confirmed', 'refused', 'resubscribed', 'stopped', 'unsubscribed'],
  maintenance_window: [
    'created',
    'date_moved',
    'date_restored',
    'date_skipped',
    'deleted',
    'undeleted',
    'updated',
  ],
  message: ['retried'],
  photo: ['staged'],
  property: ['restored', 'sending_paused', 'sending_resumed', 'start_dismissed', 'updated'],
  reply_template: ['created', 'deleted', 'undeleted', 'updated'],
  sweep: ['finished'],
  tower: ['created', 'deleted', 'undeleted', 'updated'],
  unit: ['archived', 'created', 'deleted', 'unarchived', 'undeleted', 'updated'],
  user: namesOf(accountActs),
  webhook_subscription: ['created', 'deleted', 'secret_rotated', 'tested', 'updated'],
} as const

/** Every act in the audit log: `<entity>.<verb>` (decision 4.14). */
export type Act = { [E in keyof typeof acts]: `${E}.${(typeof acts)[E][number]}` }[keyof typeof acts]

/**
 * The acts that the audit page filters by, and that the catalogue names. A test finds any that is
 * missing.
 */
export const auditActions = Object.entries(acts).flatMap(([entity, verbs]) =>
  verbs.map((verb) => `${entity}.${verb}` as Act),
)

/** The permission for every act on an entity, of those that have one permission for all. */
const byEntity: Record<string, Permission> = {
  asset: 'asset.manage',
  contact: 'contact.manage',
  feature_flag: 'flag.manage',
  maintenance_window: 'maintenance.manage',
  message: 'delivery.retry',
  property: 'property.manage',
  reply_template: 'template.manage',
  tower: 'tower.manage',
  unit: 'unit.manage',
  webhook_subscription: 'webhook.manage',
}

/** The permission an act needs; null when everyone who may write may do it. */
export function neededFor(action: string): Permission | null {
  const [entity, verb] = action.split('.')
  if (entity === 'incident') return own<Permission | null>(incidentActs, verb) ?? null
  if (entity === 'user') return own<AccountAct>(accountActs, verb)?.permission ?? null
  return own(byEntity, entity) ?? null
}

/** When an act needs a recent sign-in, for each that may (decision 7.12). */
export const freshRules: Record<string, FreshRule> = {
  'property.updated': changing('secondFactorRequired', 'signUp'),
  ...Object.fromEntries(Object.entries(accountActs).map(([verb, { fresh }]) => [`user.${verb}`, fresh])),
}

/** Whether the act ends sessions of its subject (decision 1.2). */
export function endsSessions(action: string, changes: Changes): boolean {
  const [entity, verb] = action.split('.')
  if (entity !== 'user') return false
  const isDecisive = ['role', 'active', 'password'].some((field) => Object.hasOwn(changes, field))
  return own<AccountAct>(accountActs, verb)?.endsSessions ?? (verb === 'updated' && isDecisive)
}
