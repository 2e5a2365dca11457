import type { Permission } from '../accounts/permissions.js'
import { own } from '../system/own.js'

/**
 * Every act in the audit log: `<entity>.<verb>` (decision 4.14). The audit page filters by these and the
 * catalogue names each; a test finds any that is missing.
 */
export const auditActions = [
  'asset.archived',
  'asset.created',
  'asset.deleted',
  'asset.status_changed',
  'asset.unarchived',
  'asset.updated',
  'contact.created',
  'contact.deleted',
  'contact.moved',
  'contact.updated',
  'device.registered',
  'device.removed',
  'digest.sent',
  'feature_flag.updated',
  'incident.commented',
  'incident.cost_added',
  'incident.cost_voided',
  'incident.created',
  'incident.edited',
  'incident.followed',
  'incident.merged',
  'incident.noted',
  'incident.reopened',
  'incident.sla_breached',
  'incident.status_changed',
  'incident.unfollowed',
  'incident.verified',
  'mail.accepted',
  'mail.discarded',
  'mail.held',
  'mail.ignored',
  'maintenance_window.created',
  'maintenance_window.deleted',
  'maintenance_window.updated',
  'message.retried',
  'photo.staged',
  'property.updated',
  'tower.created',
  'tower.deleted',
  'tower.updated',
  'unit.archived',
  'unit.created',
  'unit.deleted',
  'unit.unarchived',
  'unit.updated',
  'user.code_accepted',
  'user.code_asked',
  'user.code_refused',
  'user.created',
  'user.deleted',
  'user.invitation_accepted',
  'user.invited',
  'user.made_admin',
  'user.password_changed',
  'user.password_reset',
  'user.recovery_code_used',
  'user.recovery_codes_made',
  'user.reset_requested',
  'user.reset_sent',
  'user.resubscribed',
  'user.second_factor_off',
  'user.second_factor_on',
  'user.second_factor_reset',
  'user.second_factor_started',
  'user.session_ended',
  'user.signed_in',
  'user.signed_in_again',
  'user.signed_out',
  'user.signed_out_elsewhere',
  'user.signed_out_everywhere',
  'user.unsubscribed',
  'user.updated',
  'webhook_subscription.created',
  'webhook_subscription.deleted',
  'webhook_subscription.secret_rotated',
  'webhook_subscription.tested',
  'webhook_subscription.updated',
] as const

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
  'incident.cost_added': 'cost.manage',
  'incident.cost_voided': 'cost.manage',
  'incident.edited': 'incident.edit',
  'incident.merged': 'incident.merge',
  'incident.noted': 'note.write',
  'incident.status_changed': 'incident.setStatus',
  'user.created': 'user.manage',
  'user.deleted': 'user.manage',
  'user.invited': 'user.manage',
  'user.made_admin': 'user.manage',
  'user.reset_sent': 'user.manage',
  'user.second_factor_reset': 'user.manage',
  'user.signed_out_everywhere': 'user.manage',
  'user.updated': 'user.manage',
}

/** The permission an act needs; undefined when everybody who may write may do it. */
export function neededFor(action: string): Permission | undefined {
  return own(byAct, action) ?? own(byEntity, action.split('.')[0])
}

export type Act = (typeof auditActions)[number]
