import type { Role } from '../../vocabulary/people/permissions.js'
import { query } from '../db/database.js'

/**
 * The user behind a request: a row of the view `current_users`, with what sessions and the checks
 * of a request need. Accounts know users whole, by a model of their own.
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
