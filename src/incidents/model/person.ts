import type { Change } from '../../platform/db/change.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff, type Role } from '../../vocabulary/people/permissions.js'

/**
 * Someone who wrote or acted: an account, or null for an unknown sender of an email. Without a
 * role: not staff.
 */
export type Person = { id: number; role?: Role } | null

/** Whether a member of staff wrote or acted. */
export const isOffice = (by: Person) => by?.role !== undefined && isStaff(by.role)

/** The actor of the change; null for the system. */
export function personOf({ actor: { id, role } }: Change): Person {
  return id === null || role === null ? null : { id, role }
}

/**
 * Author of an entry. `label`: shown when there is no user. `email`: an email's sender, for staff;
 * `isProven`: whether that is proven. `via`: how the words came, if not as the change did.
 * `isOffice`: it is an act of the office, not what its reporter or another resident writes.
 * `duplicateId`: another incident that the entry is about.
 */
export type Author = {
  id: number | null
  label: string
  email?: string | null
  isProven?: boolean | null
  via?: Actor['via']
  isOffice?: boolean
  duplicateId?: number | null
}
