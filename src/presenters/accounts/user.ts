import type { ListedUser } from '../../models/accounts/listedUser.js'

/** A person for admins (decision 1.7); of password and second factor, only whether there is one. */
export function presentUser(row: ListedUser) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    active: row.active,
    unitId: row.unitId,
    unitName: row.unitName,
    locale: row.locale,
    hasPassword: row.hasPassword,
    secondFactor: row.secondFactor,
    isMobileReporter: row.isMobileReporter,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
