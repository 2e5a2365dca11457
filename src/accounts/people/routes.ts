import { z } from 'zod'
import { Unit } from '../../building/building.js'
import { countsOf } from '../../platform/db/dependents.js'
import type { Context } from '../../platform/http/context.js'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import type { Field, Resource } from '../../platform/http/records/description.js'
import { options } from '../../platform/http/records/pages.js'
import type { RecordActs } from '../../platform/http/records/records.js'
import { resourceRoutes } from '../../platform/http/records/resource.js'
import { both } from '../../platform/http/request/both.js'
import {
  clearable,
  clearableId,
  flag,
  line,
  mailAddress,
  oneOf,
  queryFlag,
} from '../../platform/http/request/input.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { type Locale, locales, texts } from '../../text/index.js'
import { limits } from '../../vocabulary/limits.js'
import { roles } from '../../vocabulary/people/permissions.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { resetSecondFactor } from '../secondFactor/secondFactor.js'
import { newPassword } from '../signIn/passwordField.js'
import { unlinkPerson } from '../singleSignOn/identities.js'
import { inviteWaiting } from './invitations.js'
import { countInvitable, findUser, historyCounts, type ListedUser, userListing } from './listedUser.js'
import {
  createUser,
  deleteUser,
  inviteUser,
  type NewUser,
  signOutEverywhere,
  type UserPatch,
  updateUser,
  userKind,
} from './users.js'

/**
 * A user, for admins (decision 1.7); of password, second factor and single sign-on, only whether
 * they are set.
 */
export const UserJson = shape('User', {
  id: rowId,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  active: z.boolean(),
  unitId: rowId.nullable(),
  unitName: z.string().nullable(),
  locale: z.string(),
  hasPassword: z.boolean(),
  secondFactor: z.boolean(),
  linked: z.boolean(),
  isMobileReporter: z.boolean(),
  lastSeenAt: instantText.nullable(),
  createdAt: instantText,
})

/** How many were invited, and how many are left for the next time. */
export const InvitationsJson = shape('Invitations', { invited: wholeNumber, waiting: wholeNumber })

export function presentPerson(row: ListedUser): z.output<typeof UserJson> {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    active: row.active,
    unitId: row.unitId,
    unitName: row.unitName,
    locale: row.locale,
    hasPassword: row.hasPassword,
    secondFactor: row.secondFactor,
    linked: row.linked,
    isMobileReporter: row.isMobileReporter,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

const schema = z.object({
  name: line('name', limits.name),
  email: mailAddress,
  role: oneOf('role', roles),
  active: flag('active').default(true),
  unitId: clearableId('unit'),
  locale: oneOf('locale', locales as [Locale, ...Locale[]]).optional(),
  password: clearable(newPassword).transform((given) => given ?? undefined),
})

const users: Resource<ListedUser, typeof UserJson> = {
  path: 'users',
  permission: 'user.manage',
  kind: userKind,
  acts: {
    create: (actor, given) => createUser(actor, given as NewUser),
    update: (actor, userId, given, seen) => updateUser(actor, userId, given as UserPatch, seen),
    remove: deleteUser,
  } satisfies RecordActs,
  listing: userListing,
  order: 'name',
  filters: {
    schema: { role: z.enum(roles, 'not_acceptable').optional(), active: queryFlag.optional() },
    fields: async ({ state: { text } }) => [
      { name: 'role', kind: 'select', options: options(roles, (role) => text.role[role]) },
      { name: 'active', kind: 'select', options: yesOrNo(text) },
    ],
  },
  find: findUser,
  present: presentPerson,
  json: UserJson,
  nameOf: ({ name }) => name,
  schema,
  words: (t) => t.people,
  columns: [
    { name: 'name', sort: 'name', cell: ({ name }) => name },
    { name: 'email', sort: 'email', cell: ({ email }) => email },
    { name: 'role', sort: 'role', cell: ({ role }, { t }) => t.role[role] },
    { name: 'unitId', cell: ({ unitName }) => unitName },
    { name: 'state', cell: (row, { t }) => t.people.state[stateOf(row)] },
    {
      name: 'lastSeenAt',
      cell: ({ lastSeenAt }, { h }) => lastSeenAt && h.when(lastSeenAt.toISOString()),
    },
  ],
  fields,
  defaults: { role: 'resident', active: true },
  values: () => ({ password: '' }),
  dependents: async ({ id: userId }, { people }) => {
    const counts = await countsOf({
      reports: [historyCounts.reports, userId],
      comments: [historyCounts.comments, userId],
      acts: [historyCounts.acts, userId],
    })
    return (['reports', 'comments', 'acts'] as const).map((what) => ({
      count: counts[what],
      text: people.history[what](counts[what]),
      blocks: true,
    }))
  },
  above: { view: '_invite', load: async () => ({ waiting: await countInvitable() }) },
  below: { view: 'user', load: async (row) => presentPerson(row) },
}

const act = (path: string, summary: string, notice: string, run: typeof inviteUser) =>
  route({
    method: 'post',
    paths: both(`/admin/users/:id/${path}`),
    summary,
    permission: 'user.manage',
    throttle: 'writes',
    body: emptyBody,
    answer: UserJson,
    handle: async ({ params: { id: userId }, actor }) => {
      await run(actor, userId)
      const data = presentPerson(orNotFound(await findUser(userId)))
      return { data, location: `/admin/users/${userId}`, notice }
    },
  })

/** Users, for admins (spec §4; decisions 1.7, 1.8, 6.1). */
export const userRoutes = [
  route({
    method: 'post',
    paths: both('/admin/users/invitations'),
    summary: 'Invites everyone without a password, at most once a day each.',
    permission: 'user.manage',
    throttle: 'writes',
    body: emptyBody,
    answer: InvitationsJson,
    handle: async ({ actor }) => ({
      data: await inviteWaiting(actor),
      location: '/admin/users',
      notice: 'allInvited',
    }),
  }),
  ...resourceRoutes(users),
  act('invitation', 'Sends the invitation again.', 'invited', inviteUser),
  act('sign-out', 'Ends all sessions of a person.', 'signedOutEverywhere', signOutEverywhere),
  act('unlink', 'Ends the links of a person to identities of a provider.', 'linksRemoved', unlinkPerson),
  act('second-factor-reset', 'Takes the second factor off a person.', 'secondFactorReset', resetSecondFactor),
]

async function fields({ state: { text } }: Context): Promise<Field[]> {
  const units = await Unit.all()
  return [
    { name: 'name', kind: 'line', maxlength: limits.name },
    { name: 'email', kind: 'email', maxlength: 320 },
    { name: 'role', kind: 'select', options: options(roles, (role) => text.role[role]) },
    {
      name: 'unitId',
      kind: 'select',
      options: [
        { value: '', label: text.people.noUnit },
        ...units.map(({ id: unitId, name }) => ({
          value: String(unitId),
          label: name,
        })),
      ],
    },
    { name: 'locale', kind: 'select', options: options(locales, (locale) => texts[locale].name) },
    { name: 'active', kind: 'select', options: yesOrNo(text) },
    { name: 'password', kind: 'secret', maxlength: 200 },
  ]
}

const yesOrNo = (text: Context['state']['text']) =>
  options(['true', 'false'], (value) => (value === 'true' ? text.office.yes : text.office.no))

function stateOf({ active, hasPassword, isMobileReporter }: ListedUser) {
  if (isMobileReporter) return 'app'
  if (!active) return 'inactive'
  return hasPassword ? 'active' : 'invited'
}
