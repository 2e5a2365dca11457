import { type Query, query, Row } from '../../database.js'
import { type Role, staffRoles } from '../../domain/accounts/permissions.js'

/** A row of `users`. */
export class User extends Row {
  static override tableName = 'users'

  declare name: string
  declare email: string
  declare role: Role
  declare active: boolean
  declare passwordHash: string | null
  declare unitId: number | null
  declare locale: string
  declare notifications: Record<string, boolean>
  declare sessionEpoch: number
  declare isMobileReporter: boolean
  declare createdAt: Date

  /** By address, whatever its case; null when there is none. */
  static async byEmail(email: string): Promise<User | null> {
    return (await User.query().whereRaw('lower(email) = lower(?)', email).first()) ?? null
  }

  /**
   * The same, with the address as the database folds it: whatever else is kept by address uses that folding, because
   * JavaScript's is another one (U+0130 is an i in the one and two characters in the other).
   */
  static async byAddress(email: string): Promise<{ folded: string; user: Credentials | null }> {
    const [row] = await query<Credentials & { folded: string }>(
      `select given.folded, ${current}, u.active, u.password_hash as "passwordHash"
       from (select lower($1::text) as folded) given
         left join users u on lower(u.email) = lower($1::text)`,
      [email],
    )
    const { folded, ...user } = row!
    return { folded, user: user.id === null ? null : user }
  }

  /** What a request needs to know of somebody who is about to sign in. */
  static async signingIn(id: number): Promise<CurrentUser> {
    return (await query<CurrentUser>(`select ${current} from users u where u.id = $1`, [id]))[0]!
  }

  /** The user the mobile key acts as (spec §5): made by a migration, so it is always there. */
  static async mobileReporter(): Promise<CurrentUser> {
    return (await query<CurrentUser>(`select ${current} from users u where u.is_mobile_reporter`))[0]!
  }
}

/** What a request needs to know of the person behind it. */
export type CurrentUser = {
  id: number
  name: string
  email: string
  role: Role
  locale: string
  unitId: number | null
  /** What their sessions belong to: one that a sign-in begins is of the epoch in which it was proven who they are. */
  epoch: number
  /** A code is asked for when they sign in. */
  hasSecondFactor: boolean
  /** The house demands a second factor of its staff, and they have none: the office is closed to them (decision 7.12). */
  lacksSecondFactor: boolean
}

/** What a sign-in looks at. */
export type Credentials = CurrentUser & { active: boolean; passwordHash: string | null }

const staffList = staffRoles.map((role) => `'${role}'`).join(', ')

/** SQL: whether the user of this alias is somebody of the staff (spec §1); null where there is no user. */
export const isStaffSql = (user: string) => `${user}.role in (${staffList})`

/** SQL: whether the user of this alias has a second factor that is on. */
export const hasSecondFactorSql = (user: string) =>
  `exists (select from second_factors f where f.user_id = ${user}.id and f.confirmed_at is not null)`

/** Columns of CurrentUser from `users u`. */
export const current = `u.id, u.name, u.email, u.role, u.locale, u.unit_id as "unitId", u.session_epoch as epoch,
  ${hasSecondFactorSql('u')} as "hasSecondFactor",
  (${isStaffSql('u')} and exists (select from properties where second_factor_required = 'staff')
    and not ${hasSecondFactorSql('u')}) as "lacksSecondFactor"`

/** Everybody's name and address, of people who left, too; the one account of all phones is nobody. */
export function everyName(query: Query): Promise<Pick<CurrentUser, 'name' | 'email' | 'role'>[]> {
  return query('select name, email, role from users where not is_mobile_reporter')
}
