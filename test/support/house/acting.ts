import { query } from '../../../src/platform/db/database.js'
import type { Actor } from '../../../src/vocabulary/people/actor.js'
import type { Role } from '../../../src/vocabulary/people/permissions.js'
import { scalar } from '../rows.js'

/**
 * A demo account by its role, `mobile` for the app's shared account, or anyone by their address.
 */
export type Person = Role | 'mobile' | `${string}@${string}`

export type Account = { id: number; name: string; role: Role; isMobileReporter: boolean }

/** When something is done, and whether anyone is notified of it. */
export type How = {
  /** Default: now, or the millisecond after the last thing that happened to the report. */
  at?: Date | undefined
  /** As a request does it: its event waits to be sent to those it concerns. Always now. */
  notified?: boolean | undefined
}

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

/** The actor with whom the product does what a person does to these reports. */
export async function actorOf(person: Person, how: How, reports: readonly number[] = []): Promise<Actor> {
  const { id, name, role, isMobileReporter } = await accountOf(person)
  const via = isMobileReporter ? ('mobile' as const) : ('web' as const)
  return { type: 'user', id, name, role, via, authenticatedAt: new Date(), ...(await momentOf(how, reports)) }
}

/** When an act counts; nothing waits to be sent about what is done in the past. */
export async function momentOf(
  { at, notified = false }: How,
  reports: readonly number[] = [],
): Promise<{ past?: Date }> {
  if (notified && at) throw new Error('of what is done in the past no one can be notified')
  return notified ? {} : { past: at ?? (await momentAfter(reports)) }
}

/**
 * Now by the database's clock, in whole milliseconds as JavaScript keeps them; always later than
 * all that happened to these reports, because an impact that ends when it begins is none.
 */
export async function momentAfter(reports: readonly number[] = []): Promise<Date> {
  return scalar<Date>(
    `select greatest(
       date_trunc('milliseconds', clock_timestamp()),
       (
         select date_trunc('milliseconds', max(at)) + interval '1 millisecond' from (
           select greatest(created_at, acknowledged_at, resolved_at, verified_at) as at
           from incidents where id = any ($1)
           union all select created_at from incident_updates where incident_id = any ($1)
           union all select greatest(started_at, ended_at) from asset_impacts where incident_id = any ($1)
         ) happened
       )
     ) as moment`,
    [reports],
  )
}
