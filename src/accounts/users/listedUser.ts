import { Unit } from '../../building/building.js'
import { type Change, change } from '../../platform/db/change.js'
import {
  flagColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  word,
} from '../../platform/db/columnKinds.js'
import { type Query, query } from '../../platform/db/database.js'
import { oneAtATime } from '../../platform/db/oneAtATime.js'
import type { Context } from '../../platform/http/context.js'
import { entity } from '../../platform/http/records/entity.js'
import type { RowOf } from '../../platform/http/records/entityTypes.js'
import { nameField, options, yesOrNo } from '../../platform/http/records/sharedFields.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { type Locale, locales, texts } from '../../text/index.js'
import { clearable, clearableId, emailAddress, flag, oneOf } from '../../vocabulary/inputRules.js'
import { bounds } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { type Role, roles } from '../../vocabulary/people/permissions.js'
import { newPassword } from './passwords.js'

/** The flats as options, after none. */
async function unitOptions({ state: { text } }: Context) {
  const units = await Unit.all()
  return [
    { value: '', label: text.people.noUnit },
    ...units.map((unit) => ({ value: String(unit.id), label: unit.name })),
  ]
}

type Standing = { active: boolean; hasPassword: boolean; isMobileReporter: boolean }

function standingOf({ active, hasPassword, isMobileReporter }: Standing) {
  if (isMobileReporter) return 'app'
  if (!active) return 'inactive'
  return hasPassword ? 'active' : 'invited'
}

/**
 * A user, for admins (decision 1.7), the app's own included: of password, second factor and single
 * sign-on, only whether they are set. Erased people are left out (decision 7.31).
 */
export const userEntity = entity({
  name: 'user',
  json: { office: 'User' },
  from: `(select * from users where erased_at is null) r
    join current_users s on s.id = r.id
    left join named_units n on n.id = r.unit_id`,
  search: `concat_ws(' ', r.name, r.email, n.tower_name, n.number)`,
  filters: { role: 'r.role = $', active: 'r.active = $' },
  fields: {
    id: { kind: idColumn },
    name: nameField,
    email: {
      kind: textColumn,
      input: emailAddress,
      form: { kind: 'email', maxlength: 320 },
      sort: { name: 'email', by: 'lower(r.email)', type: 'text' },
      list: true,
    },
    role: {
      kind: word(roles),
      input: oneOf('role', roles),
      form: { kind: 'select', options: ({ state }) => options(roles, (role) => state.text.role[role]) },
      sort: { name: 'role', by: 'r.role', type: 'text' },
      list: { cell: ({ role }: { role: Role }, { t }) => t.role[role] },
    },
    unitId: {
      kind: orNull(idColumn),
      input: clearableId('unit'),
      form: { kind: 'select', options: unitOptions },
      list: { cell: ({ unitName }: { unitName: string | null }) => unitName },
    },
    unitName: { kind: orNull(textColumn), sql: 'n.name' },
    locale: {
      kind: textColumn,
      input: oneOf('locale', locales as [Locale, ...Locale[]]).optional(),
      form: { kind: 'select', options: () => options(locales, (locale) => texts[locale].name) },
    },
    active: {
      kind: flagColumn,
      input: flag('active').default(true),
      form: { kind: 'select', options: yesOrNo },
    },
    password: {
      input: clearable(newPassword).transform((password) => password ?? undefined),
      form: { kind: 'secret', maxlength: 200 },
    },
    hasPassword: { kind: flagColumn, sql: 'r.password_hash is not null' },
    secondFactor: { kind: flagColumn, sql: 's.has_second_factor' },
    /** An identity of a provider signs in to it. */
    linked: { kind: flagColumn, sql: 'exists (select from identities i where i.user_id = r.id)' },
    isMobileReporter: { kind: flagColumn },
    state: { list: { cell: (user: Standing, { t }) => t.people.state[standingOf(user)] } },
    lastSeenAt: {
      kind: orNull(instantColumn),
      sql: '(select max(s.last_seen_at) from sessions s where s.user_id = r.id)',
      list: {
        cell: ({ lastSeenAt }: { lastSeenAt: Date | null }, { h }) =>
          lastSeenAt && h.when(lastSeenAt.toISOString()),
      },
    },
    createdAt: {
      kind: instantColumn,
      sort: { name: 'created', by: 'r.created_at', type: 'timestamptz' },
    },
  },
})

export const { find: findUser, json: UserJson, present: presentPerson } = userEntity.records

/**
 * The people whom the invite button would invite now: at most `bounds.invitations`, those who have
 * waited longest first.
 */
export function nextInvited(run: Query = query): Promise<{ id: number; name: string; email: string }[]> {
  return run('select id, name, email from invitable_users order by id limit $1', [bounds.invitations])
}

/** How many people can be invited now. */
export async function countInvitable(run: Query = query): Promise<number> {
  const [row] = await run<{ waiting: number }>('select count(*)::integer as waiting from invitable_users')
  return row!.waiting
}

/** History that keeps an account from being deleted, audit entries included. */
export const historyCounts = {
  reports: 'select count(*) from incidents where reporter_id = $1',
  comments: 'select count(*) from incident_updates where author_id = $1',
  acts: 'select count(*) from audit_entries where actor_id = $1',
} as const

/** A user as admins see them, without the password. */
export type UserRow = RowOf<typeof userEntity>

/**
 * Invites those who have no password, the longest waiting first: at most `bounds.invitations` at
 * once, and no one twice within a day. Returns how many were, and how many are left.
 */
export async function inviteWaiting(actor: Actor): Promise<{ invited: number; waiting: number }> {
  return change(actor, async (c) => {
    await oneAtATime(c, 'invitations')
    const people = await nextInvited(c.query)
    const ids = people.map(({ id }) => id)
    if (ids.length === 0) c.noop()
    else await invite(c, ids)
    return { invited: ids.length, waiting: await countInvitable(c.query) }
  })
}

/**
 * Queues invitations to these people, with one audit entry for all. An import uses it for the
 * people it adds.
 */
export async function invite(c: Change, ids: readonly number[]): Promise<void> {
  await enqueueEmail(c, 'account.invited', { users: ids })
  c.audit('user.all_invited', null, { invitations: { before: null, after: ids.length } })
}
