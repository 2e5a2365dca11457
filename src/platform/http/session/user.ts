import { type Role, staffRoles } from '../../../vocabulary/people/permissions.js'
import { query, Row } from '../../db/database.js'

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
  /** When the person asked to be forgotten; null for everyone else. */
  declare erasedAt: Date | null

  /** The user with this address, ignoring case; null when there is none. */
  static async byEmail(email: string): Promise<User | null> {
    return (await User.query().whereRaw('lower(email) = lower(?)', email).first()) ?? null
  }

  /**
   * The same, with the address as the database folds it. Use that folding for every key made of an
   * address: JavaScript's differs (U+0130 folds to one character in one, to two in the other).
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

  /** The user of a sign-in in progress; must exist. */
  static async signingIn(id: number): Promise<CurrentUser> {
    return (await query<CurrentUser>(`select ${current} from users u where u.id = $1`, [id]))[0]!
  }

  /** Whether the command line has opened sign-in by password to this account for the moment. */
  static async passwordIsOpen(id: number): Promise<boolean> {
    const open = await query('select from users where id = $1 and password_open_until > now()', [id])
    return open.length > 0
  }

  /** The user the mobile key acts as (spec §5): made by a migration, so it always exists. */
  static async mobileReporter(): Promise<CurrentUser> {
    return (await query<CurrentUser>(`select ${current} from users u where u.is_mobile_reporter`))[0]!
  }
}

/** The user behind a request. */
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

/** The user's columns a sign-in checks. */
export type Credentials = CurrentUser & { active: boolean; passwordHash: string | null }

const staffList = staffRoles.map((role) => `'${role}'`).join(', ')

/** SQL: whether the user of this alias is staff (spec §1); null where there is no user. */
export const isStaffSql = (user: string) => `${user}.role in (${staffList})`

/** SQL: whether the user of this alias has a confirmed second factor. */
export const hasSecondFactorSql = (user: string) =>
  `exists (select from second_factors f where f.user_id = ${user}.id and f.confirmed_at is not null)`

/** SQL: the columns of CurrentUser from `users u`. */
export const current = `u.id, u.name, u.email, u.role, u.locale, u.unit_id as "unitId", u.session_epoch as epoch,
  ${hasSecondFactorSql('u')} as "hasSecondFactor",
  (${isStaffSql('u')} and exists (select from properties where second_factor_required = 'staff')
    and not ${hasSecondFactorSql('u')}) as "lacksSecondFactor"`
