/** Who is staff (spec §1). */
export const staffRoles = ['board', 'manager', 'admin'] as const
export type StaffRole = (typeof staffRoles)[number]

/** User roles (spec §1). */
export const roles = ['resident', ...staffRoles] as const
export type Role = (typeof roles)[number]

/** The caller: a signed-in role, the mobile key, a machine's secret, or no one (spec §5). */
export type Principal = Role | 'guest' | 'mobile' | 'cron' | 'inbound' | 'monitor'

const staff: readonly Principal[] = staffRoles
const signedIn: readonly Principal[] = ['resident', ...staff]
const known: readonly Principal[] = [...signedIn, 'mobile']
const anyone: readonly Principal[] = ['guest', ...known]

/** The whole policy, read top to bottom: who may do what (spec §4, §5; decision 1.8). */
export const permissions = {
  'page.read': anyone,
  'health.read': [...anyone, 'monitor'],
  'status.read': anyone,
  'asset.read': anyone,
  'place.read': anyone,
  'photo.read': anyone,
  'incident.read': anyone,
  'session.create': anyone,
  'session.read': anyone,
  'session.delete': anyone,
  'account.manage': signedIn,
  'language.choose': signedIn,
  'contact.read': known,
  'incident.report': known,
  'incident.comment': known,
  'incident.setStatus': staff,
  'incident.verify': known,
  'incident.answer': anyone,
  'incident.follow': known,
  'incident.own': signedIn,
  'incident.merge': staff,
  'incident.edit': staff,
  'incident.hide': staff,
  'incident.dismiss': staff,
  'device.register': known,
  'triage.ask': known,
  'unsubscribe.use': anyone,
  'email.follow': anyone,
  'office.read': staff,
  'webhook.manage': staff,
  'tower.manage': staff,
  'contact.manage': staff,
  'unit.manage': staff,
  'asset.manage': staff,
  'maintenance.manage': staff,
  'property.manage': staff,
  'property.secure': ['admin'],
  'cost.manage': staff,
  'incident.export': staff,
  'year.read': staff,
  'poster.print': staff,
  'import.run': staff,
  'note.write': staff,
  'template.manage': staff,
  'email.read': staff,
  'email.sort': staff,
  'delivery.read': staff,
  'delivery.retry': staff,
  'user.manage': ['admin'],
  'flag.manage': ['admin'],
  'audit.read': ['admin'],
  'sweep.run': ['cron'],
  'digest.run': ['cron'],
  'email.receive': ['inbound'],
  'metrics.read': ['monitor'],
} as const satisfies Record<string, readonly Principal[]>

export type Permission = keyof typeof permissions

/** Secrets that are valid on their own endpoints; elsewhere they count as none (spec §5 rule 8). */
const machines: readonly Principal[] = ['cron', 'inbound', 'monitor']

/** Whether the caller is a person with a role. */
export function isRole(principal: Principal): principal is Role {
  return (roles as readonly Principal[]).includes(principal)
}

/** Whether the principal is staff; `is_staff` is the same in SQL. */
export function isStaff(principal: Principal): boolean {
  return staff.includes(principal)
}

export function may(principal: Principal, permission: Permission): boolean {
  return (permissions[permission] as readonly Principal[]).includes(principal)
}

/**
 * 401: guests, a machine secret off its own route, anything else on a machine route. 403: all other
 * refusals (spec §7, decision 1.3).
 */
export function decideAccess(
  principal: Principal,
  permission: Permission,
): 'allowed' | 'unauthenticated' | 'forbidden' {
  if (may(principal, permission)) return 'allowed'
  const machineDoor = permissions[permission].some((holder) => machines.includes(holder))
  if (principal === 'guest' || machines.includes(principal) || machineDoor) return 'unauthenticated'
  return 'forbidden'
}
