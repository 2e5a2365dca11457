import { z } from 'zod'
import { countsOf } from '../../platform/db/listing.js'
import { shape, wholeNumber } from '../../platform/http/json.js'
import { both } from '../../platform/http/paths.js'
import { resourceFrom } from '../../platform/http/records/entity.js'
import type { RecordActs } from '../../platform/http/records/recordActs.js'
import { resourceRoutes } from '../../platform/http/records/resourceRoutes.js'
import { options, yesOrNo } from '../../platform/http/records/sharedFields.js'
import { queryFlag } from '../../platform/http/request/query.js'
import { page } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { roles } from '../../vocabulary/people/permissions.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { resetSecondFactor } from '../secondFactor/secondFactor.js'
import { unlinkPerson } from '../singleSignOn/identities.js'
import { findUser, presentPerson, UserJson, userEntity } from '../users/userEntity.js'
import { countInvitable, inviteUser, inviteWaiting, nextInvited } from './invitations.js'
import {
  createUser,
  deleteUser,
  type NewUser,
  signOutEverywhere,
  type UserPatch,
  updateUser,
  userKind,
} from './manageUsers.js'

/** How many were invited, and how many are left for the next time. */
const InvitationsJson = shape('Invitations', { invited: wholeNumber, waiting: wholeNumber })

/** History that keeps an account from being deleted, audit entries included. */
const historyCounts = {
  reports: 'select count(*) from incidents where reporter_id = $1',
  comments: 'select count(*) from incident_updates where author_id = $1',
  acts: 'select count(*) from audit_entries where actor_id = $1',
} as const

const users = resourceFrom(userEntity, {
  path: 'users',
  group: 'users',
  permission: 'user.manage',
  kind: userKind,
  acts: {
    create: (actor, fields) => createUser(actor, fields as NewUser),
    update: (actor, userId, fields, version) => updateUser(actor, userId, fields as UserPatch, version),
    remove: deleteUser,
    undelete: null,
  } satisfies RecordActs,
  order: 'name',
  links: [
    { href: '/admin/import?kind=residents', permission: 'import.run', label: (text) => text.imports.title },
  ],
  filters: {
    schema: { role: z.enum(roles, 'not_acceptable').optional(), active: queryFlag.optional() },
    fields: async (ctx) => [
      { name: 'role', control: 'select', options: options(roles, (role) => ctx.state.text.role[role]) },
      { name: 'active', control: 'select', options: yesOrNo(ctx) },
    ],
  },
  nameOf: ({ name }) => name,
  addedNotice: ({ password, active }) => (password || active === false ? 'added' : 'personAdded'),
  words: (t) => t.people,
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
  above: { view: 'accounts/_invite', load: async () => ({ waiting: await countInvitable() }) },
  below: { view: 'accounts/_below', load: async (row) => presentPerson(row) },
})

const act = (path: string, summary: string, notice: string, run: typeof inviteUser) =>
  route({
    method: 'post',
    paths: both(`/admin/users/:id/${path}`),
    group: 'users',
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
    method: 'get',
    paths: '/admin/users/invitations',
    summary: 'Asks whether to invite everyone without a password, and shows who they are.',
    permission: 'user.manage',
    answer: page,
    handle: async () => {
      const people = await nextInvited()
      if (people.length === 0) return { location: '/admin/users' }
      return { view: 'accounts/invitations', extras: { people, waiting: await countInvitable() } }
    },
  }),
  route({
    method: 'post',
    paths: both('/admin/users/invitations'),
    group: 'users',
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
