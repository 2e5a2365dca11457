import { Unit } from '../../building/building.js'
import { type AnyQueryBuilder, query } from '../../platform/db/database.js'
import { Row } from '../../platform/db/row.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import type { Role } from '../../vocabulary/people/permissions.js'

/** A row of `users`: a person who can sign in, or the app's own user. */
export class User extends Row {
  static override tableName = 'users'

  static override relationMappings = () => ({
    unit: {
      relation: User.BelongsToOneRelation,
      modelClass: Unit,
      join: { from: 'users.unitId', to: 'units.id' },
    },
  })

  static override modifiers = {
    /** With this address, as the database folds it. */
    atAddress: (users: AnyQueryBuilder, email: string) =>
      users.whereRaw('lower(users.email) = lower(?)', email),
  }

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
    return (await User.query().modify('atAddress', email).first()) ?? null
  }

  /**
   * The same, with the address as the database folds it. Use that folding for every key made of an
   * address: JavaScript's differs (U+0130 folds to one character in one, to two in the other).
   */
  static async byAddress(email: string): Promise<{ folded: string; user: Credentials | null }> {
    const [row] = await query<Credentials & { folded: string }>(
      `select address.folded, c.*, u.password_hash
       from (select lower($1::text) as folded) address
       left join users u on lower(u.email) = lower($1::text)
       left join current_users c on c.id = u.id`,
      [email],
    )
    const { folded, ...user } = row!
    return { folded, user: user.id === null ? null : user }
  }

  /** The user of a sign-in in progress; must exist. */
  static async forSignIn(id: number): Promise<CurrentUser> {
    return (await query<CurrentUser>('select * from current_users where id = $1', [id]))[0]!
  }

  /** Whether the command line has opened sign-in by password to this account for the moment. */
  static async passwordIsOpen(id: number): Promise<boolean> {
    const open = await query('select from users where id = $1 and password_open_until > now()', [id])
    return open.length > 0
  }
}

/** The user's columns a sign-in checks. */
export type Credentials = CurrentUser & { active: boolean; passwordHash: string | null }
