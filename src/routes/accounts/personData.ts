import type { z } from 'zod'
import { erasePerson } from '../../actions/accounts/erasePerson.js'
import { publicAddress } from '../../config.js'
import { orNotFound } from '../../domain/system/validation.js'
import { findUser } from '../../models/accounts/listedUser.js'
import { personData } from '../../models/accounts/personData.js'
import { PersonDataJson, presentPersonData } from '../../presenters/accounts/personData.js'
import type { Context } from '../../web/context.js'
import { both } from '../../web/request/both.js'
import { noContent, page } from '../../web/route/answer.js'
import { noFields } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'
import { signOut } from '../../web/session/sessions.js'
import { accountOf } from './account.js'

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
    summary: 'All data stored about you.',
    permission: 'account.manage',
    answer: PersonDataJson,
    handle: ({ ctx }) => dataOf(ctx, ctx.state.user!.id),
  }),

  route({
    method: 'get',
    paths: '/api/admin/users/:id/data',
    summary: 'All data stored about a person, for a request by that person.',
    permission: 'user.manage',
    answer: PersonDataJson,
    handle: async ({ ctx, params: { id } }) => dataOf(ctx, orNotFound(await findUser(id)).id),
  }),

  route({
    method: 'get',
    paths: '/account/erase',
    summary: 'The page to confirm deleting your account and data.',
    permission: 'account.manage',
    answer: page,
    handle: () => ({ view: 'accounts/erase', extras: { whom: null, back: '/account' } }),
  }),

  route({
    method: 'post',
    paths: both('/account/erase'),
    summary: 'Deletes your account and data. Your reports stay, without your name.',
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
    summary: 'The page to confirm deleting a person’s account and data.',
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
    summary: 'Deletes a person’s account and data at their request. Repeating it has no effect.',
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
