import { z } from 'zod'
import { unlinkPerson } from '../../actions/accounts/identities.js'
import { inviteWaiting } from '../../actions/accounts/invitations.js'
import { resetSecondFactor } from '../../actions/accounts/secondFactor.js'
import {
  createUser,
  deleteUser,
  inviteUser,
  type NewUser,
  signOutEverywhere,
  type UserPatch,
  updateUser,
  userKind,
} from '../../actions/accounts/users.js'
import type { RecordActs } from '../../actions/records/records.js'
import { roles } from '../../domain/accounts/permissions.js'
import { limits } from '../../domain/system/limits.js'
import { orNotFound } from '../../domain/system/validation.js'
import {
  countInvitable,
  findUser,
  historyCounts,
  type ListedUser,
  userListing,
} from '../../models/accounts/listedUser.js'
import { Unit } from '../../models/building/building.js'
import { countsOf } from '../../models/system/dependents.js'
import { newPassword } from '../../pages/accounts/passwordField.js'
import type { Field, Resource } from '../../pages/records/description.js'
import { options } from '../../pages/records/pages.js'
import { InvitationsJson, presentUser, UserJson } from '../../presenters/accounts/user.js'
import { type Locale, locales, texts } from '../../text/index.js'
import type { Context } from '../../web/context.js'
import { both } from '../../web/request/both.js'
import { clearable, clearableId, flag, line, mailAddress, oneOf, queryFlag } from '../../web/request/input.js'
import { noFields } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'
import { resourceRoutes } from '../records/resource.js'

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
  present: presentUser,
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
      cell: ({ lastSeenAt }, { h }) => lastSeenAt && h.dateTime(lastSeenAt.toISOString()),
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
  below: { view: 'user', load: async (row) => presentUser(row) },
}

const act = (path: string, summary: string, notice: string, run: typeof inviteUser) =>
  route({
    method: 'post',
    paths: both(`/admin/users/:id/${path}`),
    summary,
    permission: 'user.manage',
    throttle: 'writes',
    body: noFields,
    answer: UserJson,
    handle: async ({ params: { id: userId }, actor }) => {
      await run(actor, userId)
      const data = presentUser(orNotFound(await findUser(userId)))
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
    body: noFields,
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
