import { unitJoins, unitNameSql } from '../../building/unitName.js'
import { type Query, query } from '../../platform/db/database.js'
import type { Listing } from '../../platform/db/listing.js'
import { hasSecondFactorSql } from '../../platform/http/session/user.js'
import type { Role } from '../../vocabulary/people/permissions.js'

/** A user as admins see them, without the password. */
export type ListedUser = {
  id: number
  name: string
  email: string
  role: Role
  active: boolean
  unitId: number | null
  unitName: string | null
  locale: string
  hasPassword: boolean
  secondFactor: boolean
  /** An identity of a provider signs in to it. */
  linked: boolean
  isMobileReporter: boolean
  lastSeenAt: Date | null
  createdAt: Date
}

const columns = `r.id, r.name, r.email, r.role, r.active, r.unit_id as "unitId", ${unitNameSql} as "unitName",
  r.locale, r.password_hash is not null as "hasPassword",
  ${hasSecondFactorSql('r')} as "secondFactor",
  exists (select from identities i where i.user_id = r.id) as linked, r.is_mobile_reporter as "isMobileReporter",
  (select max(s.last_seen_at) from sessions s where s.user_id = r.id) as "lastSeenAt", r.created_at as "createdAt"`
/** Who is erased is nobody any more (decision 7.31). */
const from = `(select * from users where erased_at is null) r ${unitJoins('r')}`

/** All accounts, the app's own included. */
export const userListing: Listing = {
  columns,
  from,
  search: `concat_ws(' ', r.name, r.email, t.name, u.number)`,
  sorts: {
    name: { by: 'lower(r.name)', type: 'text' },
    email: { by: 'lower(r.email)', type: 'text' },
    role: { by: 'r.role', type: 'text' },
    created: { by: 'r.created_at', type: 'timestamptz' },
  },
  filters: { role: 'r.role = $', active: 'r.active = $' },
}

export async function findUser(id: number): Promise<ListedUser | null> {
  return (await query<ListedUser>(`select ${columns} from ${from} where r.id = $1`, [id]))[0] ?? null
}

/**
 * SQL: whether the person of this alias can still be invited: active, with neither a password nor
 * another way in, and not invited in the last 24 hours.
 */
export const invitableSql = (u: string) => `(
  ${u}.active and ${u}.password_hash is null and not ${u}.is_mobile_reporter
  and not exists (select from identities i where i.user_id = ${u}.id)
  and not exists (select from outbox o where o.created_at > now() - interval '24 hours'
    and o.event = 'account.invited' and o.recipient_id = ${u}.id))`

/** How many people can be invited now. */
export async function countInvitable(run: Query = query): Promise<number> {
  const [row] = await run<{ waiting: number }>(
    `select count(*)::integer as waiting from users u where ${invitableSql('u')}`,
  )
  return row!.waiting
}

/** History that keeps an account from being deleted, audit entries included. */
export const historyCounts = {
  reports: 'select count(*) from incidents where reporter_id = $1',
  comments: 'select count(*) from incident_updates where author_id = $1',
  acts: 'select count(*) from audit_entries where actor_id = $1',
} as const
