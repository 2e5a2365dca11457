import type { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { both } from '../../platform/http/request/both.js'
import { noContent, page } from '../../platform/http/route/answer.js'
import { noFields } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { signOut } from '../../platform/http/session/sessions.js'
import { publicAddress } from '../../platform/ops/config.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { accountOf } from '../account/routes.js'
import { erasePerson } from '../people/erasePerson.js'
import { findUser } from '../people/listedUser.js'
import { PersonDataJson, presentPersonData } from './json.js'
import { personData } from './queries.js'

const throttle = 'writes'
const addressOf = (path: string) => `${publicAddress()}/api/photos/${path}`

/** A file for the person it is about. */
async function dataOf(ctx: Context, id: number): Promise<{ data: z.output<typeof PersonDataJson> }> {
  const mine = ctx.state.user?.id === id ? ctx.state.sessionHash : null
  const account = await accountOf(id, mine ?? null)
  ctx.set('Content-Disposition', `attachment; filename="person-${id}.json"`)
  return { data: presentPersonData(account, await personData(id), addressOf) }
}

/** Everything about a person, for them to take along, and its erasure (decision 7.31). */
export const personDataRoutes = [
  route({
    method: 'get',
    paths: '/api/account/data',
    summary: 'Everything that is kept about the person who is signed in.',
    permission: 'account.manage',
    answer: PersonDataJson,
    handle: ({ ctx }) => dataOf(ctx, ctx.state.user!.id),
  }),

  route({
    method: 'get',
    paths: '/api/admin/users/:id/data',
    summary: 'Everything that is kept about a person, at their request.',
    permission: 'user.manage',
    answer: PersonDataJson,
    handle: async ({ ctx, params: { id } }) => dataOf(ctx, orNotFound(await findUser(id)).id),
  }),

  route({
    method: 'get',
    paths: '/account/erase',
    summary: 'The page that asks before one’s own account is erased.',
    permission: 'account.manage',
    answer: page,
    handle: () => ({ view: 'accounts/erase', extras: { whom: null, back: '/account' } }),
  }),

  route({
    method: 'post',
    paths: both('/account/erase'),
    summary: 'Erases one’s own account; what one reported stays, without a name.',
    permission: 'account.manage',
    throttle,
    confidential: true,
    body: noFields,
    answer: noContent,
    handle: async ({ ctx, actor }) => {
      await erasePerson(actor, ctx.state.user!.id)
      signOut(ctx)
      return { location: '/', notice: 'erased' }
    },
  }),

  route({
    method: 'get',
    paths: '/admin/users/:id/erase',
    summary: 'The page that asks before a person is erased.',
    permission: 'user.manage',
    answer: page,
    handle: async ({ params: { id } }) => {
      const { name } = orNotFound(await findUser(id))
      return { view: 'accounts/erase', extras: { whom: name, back: `/admin/users/${id}` } }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/users/:id/erase'),
    summary: 'Erases a person, at their request; a second time is harmless.',
    permission: 'user.manage',
    throttle,
    body: noFields,
    answer: noContent,
    handle: async ({ params: { id }, actor }) => {
      await erasePerson(actor, id)
      return { location: '/admin/users', notice: 'erasedOne' }
    },
  }),
]
