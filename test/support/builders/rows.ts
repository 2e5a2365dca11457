import { query } from '../../../src/platform/db/database.js'
import { affectsStatus, type Changes } from '../../../src/vocabulary/audit.js'
import type { Role } from '../../../src/vocabulary/people/permissions.js'
import { scalar } from '../rows.js'

/** Inserts one row; returns it as the database stores it. */
export async function insertRow<T = { id: number }>(
  table: string,
  columns: Record<string, unknown>,
): Promise<T> {
  const names = Object.keys(columns)
  const places = names.map((_name, i) => `$${i + 1}`)
  const rows = await query(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning *`,
    Object.values(columns),
  )
  return rows[0] as T
}

/** Changes the given columns of the row with this id. */
export async function updateRow(table: string, id: number, columns: Record<string, unknown>): Promise<void> {
  const names = Object.keys(columns)
  const assignments = names.map((name, i) => `${name} = $${i + 2}`)
  await query(`update ${table} set ${assignments.join(', ')} where id = $1`, [id, ...Object.values(columns)])
}

/**
 * A demo account by its role, `mobile` for the app's shared account, or anyone by their address.
 */
export type Person = Role | 'mobile' | `${string}@${string}`

export type Account = { id: number; name: string; role: Role; isMobileReporter: boolean }

/** The account of a person. Throws when there is none. */
export async function accountOf(person: Person): Promise<Account> {
  const address = person.includes('@') ? person : `${person}@example.com`
  const [account] = await query<Account>(
    `select id, name, role, is_mobile_reporter from users
     where case when $1 = 'mobile' then is_mobile_reporter else lower(email) = lower($2) end`,
    [person, address],
  )
  if (!account) throw new Error(`${person} has no account`)
  return account
}

export const isStaffAccount = ({ role }: Account) => role !== 'resident'

/** The channel an account acts through. */
export const viaOf = ({ isMobileReporter }: Account) => (isMobileReporter ? 'mobile' : 'web')

/**
 * Now by the database's clock, in whole milliseconds as JavaScript keeps them; always later than
 * `earlier`, because an impact that ends when it begins is none.
 */
export async function momentAfter(earlier?: Date): Promise<Date> {
  return new Date(
    Math.max(
      (await scalar<Date>(`select date_trunc('milliseconds', clock_timestamp()) as now`)).getTime(),
      earlier ? earlier.getTime() + 1 : 0,
    ),
  )
}

type GivenEntry = {
  /** Null where an email without an account did it. */
  by: Account | null
  action: string
  entityId: number
  at: Date
  changes?: Changes
  requestId?: string | null | undefined
}

/** Writes the entry of the audit log for what was done. */
export async function auditEntry({
  by,
  action,
  entityId,
  at,
  changes = {},
  requestId = null,
}: GivenEntry): Promise<void> {
  const entity = action.slice(0, action.lastIndexOf('.'))
  await insertRow('audit_entries', {
    at,
    actor_type: by ? 'user' : 'system',
    actor_id: by?.id ?? null,
    actor_name: by?.name ?? 'System',
    action,
    entity,
    entity_id: entityId,
    changes: JSON.stringify(changes),
    via: by ? viaOf(by) : 'email',
    request_id: requestId,
    affects_status: affectsStatus(entity, action, changes),
  })
}
