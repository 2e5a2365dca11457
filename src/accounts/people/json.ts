import { z } from 'zod'
import { count, instant, rowId, shape } from '../../platform/http/json.js'
import { roles } from '../../vocabulary/people/permissions.js'
import type { ListedUser } from './listedUser.js'

/** A user, for admins (decision 1.7); of password, second factor and single sign-on, only whether they are set. */
export const UserJson = shape('User', {
  id: rowId,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  active: z.boolean(),
  unitId: rowId.nullable(),
  unitName: z.string().nullable(),
  locale: z.string(),
  hasPassword: z.boolean(),
  secondFactor: z.boolean(),
  linked: z.boolean(),
  isMobileReporter: z.boolean(),
  lastSeenAt: instant.nullable(),
  createdAt: instant,
})

/** How many were invited, and how many are left for the next time. */
export const InvitationsJson = shape('Invitations', { invited: count, waiting: count })

export function presentUser(row: ListedUser): z.output<typeof UserJson> {
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
    linked: row.linked,
    isMobileReporter: row.isMobileReporter,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
