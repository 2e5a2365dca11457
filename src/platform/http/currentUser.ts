import type { Role } from '../../vocabulary/people/permissions.js'
import { query } from '../db/database.js'

/**
 * The user behind a request, as everyone's code sees them: what a session and the checks of a
 * request need: a row of the view `current_users`. The whole row of the table is `User` in
 * `accounts/users/user.ts`.
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

/** The user the mobile key acts as (spec §5): made by a migration, so it always exists. */
export async function mobileReporter(): Promise<CurrentUser> {
  const [user] = await query<CurrentUser>(
    'select c.* from users u join current_users c on c.id = u.id where u.is_mobile_reporter',
  )
  return user!
}
