import { type Role, staffRoles } from '../../../vocabulary/people/permissions.js'
import { query } from '../../db/database.js'

/**
 * The user behind a request, as everyone's code sees them: what a session and the checks of a
 * request need. The whole row is `User` in `accounts/people/user.ts`.
 */
export type CurrentUser = {
  id: number
  name: string
  email: string
  role: Role
  locale: string
  unitId: number | null
  /** The epoch of the user's sessions: they are valid only with the one read at their sign-in. */
  epoch: number
  /** Sign-in needs a code. */
  hasSecondFactor: boolean
  /** The office is closed to staff without the second factor it demands (decision 7.12). */
  lacksSecondFactor: boolean
}

const staffList = staffRoles.map((role) => `'${role}'`).join(', ')

/** SQL: whether the user of this alias is staff (spec §1); null where there is no user. */
export const isStaffSql = (user: string) => `${user}.role in (${staffList})`

/** SQL: whether the user of this alias has a confirmed second factor. */
export const hasSecondFactorSql = (user: string) =>
  `exists (select from second_factors f where f.user_id = ${user}.id and f.confirmed_at is not null)`

/** SQL: the columns of CurrentUser from `users u`. */
export const currentUserColumns = `u.id, u.name, u.email, u.role, u.locale, u.unit_id, u.session_epoch as epoch,
  ${hasSecondFactorSql('u')} as has_second_factor,
  (${isStaffSql('u')} and exists (select from properties where second_factor_required = 'staff')
    and not ${hasSecondFactorSql('u')}) as lacks_second_factor`

/** The user the mobile key acts as (spec §5): made by a migration, so it always exists. */
export async function mobileReporter(): Promise<CurrentUser> {
  const [user] = await query<CurrentUser>(
    `select ${currentUserColumns} from users u where u.is_mobile_reporter`,
  )
  return user!
}
