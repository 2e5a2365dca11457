import { own } from './collections.js'
import type { Permission } from './people/permissions.js'

/** The acts of each entity, as the audit log names them. */
const acts = {
  asset: ['archived', 'created', 'deleted', 'status_changed', 'unarchived', 'undeleted', 'updated'],
  contact: ['created', 'deleted', 'moved', 'undeleted', 'updated'],
  device: ['registered', 'removed'],
  digest: ['sent'],
  feature_flag: ['updated'],
  guest_report: ['kept', 'sent'],
  incident: [
    'commented',
    'confirmation_undone',
    'cost_added',
    'cost_restored',
    'cost_voided',
    'created',
    'dismissed',
    'edited',
    'followed',
    'hidden',
    'merged',
    'noted',
    'reinstated',
    'reopened',
    'restored',
    'seen',
    'sla_breached',
    'status_changed',
    'unfollowed',
    'unmerged',
    'verified',
  ],
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
  user: [
    'code_accepted',
    'code_asked',
    'code_refused',
    'all_invited',
    'created',
    'deleted',
    'erased',
    'followed',
    'identities_removed',
    'identity_link_started',
    'identity_linked',
    'identity_unlinked',
    'invitation_accepted',
    'invited',
    'made_admin',
    'password_changed',
    'password_reset',
    'recovery_code_used',
    'recovery_codes_made',
    'reset_requested',
    'reset_sent',
    'resubscribed',
    'role_mapped',
    'second_factor_off',
    'second_factor_on',
    'second_factor_reset',
    'second_factor_started',
    'session_ended',
    'sign_in_link_asked',
    'sign_in_link_used',
    'signed_in',
    'signed_in_again',
    'signed_out',
    'signed_out_elsewhere',
    'signed_out_everywhere',
    'signed_up',
    'unfollowed',
    'unsubscribed',
    'updated',
  ],
  webhook_subscription: ['created', 'deleted', 'secret_rotated', 'tested', 'updated'],
} as const

/** Every act in the audit log: `<entity>.<verb>` (decision 4.14). */
export type Act = { [E in keyof typeof acts]: `${E}.${(typeof acts)[E][number]}` }[keyof typeof acts]

/** The audit page filters by these and the catalogue names each; a test finds any that is missing. */
export const auditActions = Object.entries(acts).flatMap(([entity, verbs]) =>
  verbs.map((verb) => `${entity}.${verb}` as Act),
)

/** The permission for every act on an entity. */
const byEntity: Record<string, Permission> = {
  asset: 'asset.manage',
  contact: 'contact.manage',
  feature_flag: 'flag.manage',
  maintenance_window: 'maintenance.manage',
  message: 'delivery.retry',
  property: 'property.manage',
  tower: 'tower.manage',
  unit: 'unit.manage',
  webhook_subscription: 'webhook.manage',
}

/** The permission for single acts, where the entity itself needs none or another. */
const byAct: Record<string, Permission> = {
  'incident.confirmation_undone': 'incident.setStatus',
  'incident.cost_added': 'cost.manage',
  'incident.cost_restored': 'cost.manage',
  'incident.cost_voided': 'cost.manage',
  'incident.dismissed': 'incident.dismiss',
  'incident.edited': 'incident.edit',
  'incident.hidden': 'incident.hide',
  'incident.merged': 'incident.merge',
  'incident.noted': 'note.write',
  'incident.reinstated': 'incident.dismiss',
  'incident.restored': 'incident.hide',
  'incident.seen': 'incident.edit',
  'incident.status_changed': 'incident.setStatus',
  'incident.unmerged': 'incident.merge',
  'user.all_invited': 'user.manage',
  'user.created': 'user.manage',
  'user.deleted': 'user.manage',
  'user.identities_removed': 'user.manage',
  'user.invited': 'user.manage',
  'user.made_admin': 'user.manage',
  'user.reset_sent': 'user.manage',
  'user.second_factor_reset': 'user.manage',
  'user.signed_out_everywhere': 'user.manage',
  'user.updated': 'user.manage',
}

/** The permission an act needs; undefined when everyone who may write may do it. */
export function neededFor(action: string): Permission | undefined {
  return own(byAct, action) ?? own(byEntity, action.split('.')[0])
}
