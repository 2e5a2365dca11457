import { Unit } from '../../building/building.js'
import {
  flagColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  word,
} from '../../platform/db/columnKinds.js'
import type { Context } from '../../platform/http/context.js'
import { entity } from '../../platform/http/records/entity.js'
import type { RowOf } from '../../platform/http/records/entityTypes.js'
import { nameField, options, yesOrNo } from '../../platform/http/records/sharedFields.js'
import { type Locale, locales, texts } from '../../text/index.js'
import {
  clearable,
  clearableId,
  emailAddress,
  flag,
  oneOf,
  trimmedText,
} from '../../vocabulary/inputRules.js'
import { limits } from '../../vocabulary/limits.js'
import { type Role, roles } from '../../vocabulary/people/permissions.js'
import { passwordLength } from './passwordRules.js'
import { newPassword } from './passwords.js'

/** The flats as options, after none. */
async function unitOptions({ state: { text } }: Context) {
  const units = await Unit.all()
  return [
    { value: '', label: text.people.noUnit },
    ...units.map((unit) => ({ value: String(unit.id), label: unit.name })),
  ]
}

type AccountState = { active: boolean; hasPassword: boolean; isMobileReporter: boolean }

function accountState({ active, hasPassword, isMobileReporter }: AccountState) {
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
    id: { column: idColumn },
    // What would change the direction of other words is refused, not left out (`nameProblem`).
    name: { ...nameField, input: trimmedText('name', limits.name) },
    email: {
      column: textColumn,
      input: emailAddress,
      form: { control: 'email', maxlength: 320 },
      sort: { name: 'email', by: 'lower(r.email)', type: 'text' },
      list: true,
    },
    role: {
      column: word(roles),
      input: oneOf('role', roles),
      form: { control: 'select', options: ({ state }) => options(roles, (role) => state.text.role[role]) },
      sort: { name: 'role', by: 'r.role', type: 'text' },
      list: { cell: ({ role }: { role: Role }, { t }) => t.role[role] },
    },
    unitId: {
      column: orNull(idColumn),
      input: clearableId('unit'),
      form: { control: 'select', options: unitOptions },
      list: { cell: ({ unitName }: { unitName: string | null }) => unitName },
    },
    unitName: { column: orNull(textColumn), sql: 'n.name' },
    locale: {
      column: textColumn,
      input: oneOf('locale', locales as [Locale, ...Locale[]]).optional(),
      form: { control: 'select', options: () => options(locales, (locale) => texts[locale].name) },
    },
    active: {
      column: flagColumn,
      input: flag('active').default(true),
      form: { control: 'select', options: yesOrNo },
    },
    password: {
      input: clearable(newPassword).transform((password) => password ?? undefined),
      form: { control: 'secret', maxlength: passwordLength.most },
    },
    hasPassword: { column: flagColumn, sql: 'r.password_hash is not null' },
    secondFactor: { column: flagColumn, sql: 's.has_second_factor' },
    /** An identity of a provider signs in to it. */
    linked: { column: flagColumn, sql: 'exists (select from identities i where i.user_id = r.id)' },
    isMobileReporter: { column: flagColumn },
    state: { list: { cell: (user: AccountState, { t }) => t.people.state[accountState(user)] } },
    lastSeenAt: {
      column: orNull(instantColumn),
      sql: '(select max(s.last_seen_at) from sessions s where s.user_id = r.id)',
      list: {
        cell: ({ lastSeenAt }: { lastSeenAt: Date | null }, { h }) =>
          lastSeenAt && h.when(lastSeenAt.toISOString()),
      },
    },
    createdAt: {
      column: instantColumn,
      sort: { name: 'created', by: 'r.created_at', type: 'timestamptz' },
    },
  },
})

export const { find: findUser, json: UserJson, present: presentPerson } = userEntity.records

/** A user as admins see them, without the password. */
export type UserRow = RowOf<typeof userEntity>
