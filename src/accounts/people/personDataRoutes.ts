import type { Context } from '../../platform/http/context.js'
import { both } from '../../platform/http/paths.js'
import { noContent, page } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { signOut } from '../../platform/http/session/sessionCookie.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { accountOf } from '../account/accountPage.js'
import { findUser } from '../users/userEntity.js'
import { erasePerson } from './erasePerson.js'
import { type PersonData, PersonDataJson, readPersonData } from './personData.js'

const throttle = 'writes'

/** Answers with all data about the person, as a file to save. */
async function personDataFile(ctx: Context, id: number): Promise<{ data: PersonData }> {
  const isOwnAccount = ctx.state.user?.id === id
  const currentSession = isOwnAccount ? (ctx.state.session?.hash ?? null) : null
  const account = await accountOf(id, currentSession)
  const data = await readPersonData(id)
  ctx.set('Content-Disposition', `attachment; filename="person-${id}.json"`)
  return { data: { account, ...data } }
}

/** Hands all data about a person over to them, and erases it (decision 7.31). */
export const personDataRoutes = [
  route({
    method: 'get',
    paths: '/api/account/data',
    group: 'account',
    summary: 'All data stored about you.',
    permission: 'account.manage',
    answer: PersonDataJson,
    handle: ({ ctx }) => personDataFile(ctx, ctx.state.user!.id),
  }),

  route({
    method: 'get',
    paths: '/api/admin/users/:id/data',
    group: 'users',
    summary: 'All data stored about a person, for a request by that person.',
    permission: 'user.manage',
    answer: PersonDataJson,
    handle: async ({ ctx, params: { id } }) => personDataFile(ctx, orNotFound(await findUser(id)).id),
  }),

  route({
    method: 'get',
    paths: '/account/erase',
    summary: 'The page to confirm deleting your account and data.',
    permission: 'account.manage',
    answer: page,
    handle: () => ({
      view: 'accounts/erase',
      extras: { userName: null, address: '/account', back: '/account?tab=data' },
    }),
  }),

  route({
    method: 'post',
    paths: both('/account/erase'),
    group: 'account',
    summary: 'Deletes your account and data. Your reports stay, without your name.',
    permission: 'account.manage',
    throttle,
    confidential: true,
    body: emptyBody,
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
      return {
        view: 'accounts/erase',
        extras: { userName: name, address: `/admin/users/${id}`, back: `/admin/users/${id}` },
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/users/:id/erase'),
    group: 'users',
    summary: 'Deletes a person’s account and data at their request. Repeating it has no effect.',
    permission: 'user.manage',
    throttle,
    body: emptyBody,
    answer: noContent,
    handle: async ({ params: { id }, actor }) => {
      await erasePerson(actor, id)
      return { location: '/admin/users', notice: 'erasedOne' }
    },
  }),
]
