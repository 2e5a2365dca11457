import { z } from 'zod'
import { query } from '../../platform/db/database.js'
import type { Context } from '../../platform/http/context.js'
import { instantText, rowId, shape } from '../../platform/http/json.js'
import { both } from '../../platform/http/request/both.js'
import { noContent, page } from '../../platform/http/route/answer.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { signOut } from '../../platform/http/session/sessions.js'
import { publicAddress } from '../../platform/ops/config.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { AccountJson } from '../account/json.js'
import { accountOf } from '../account/routes.js'
import { erasePerson } from '../people/erasePerson.js'
import { findUser } from '../people/listedUser.js'

/**
 * What someone reported, wrote and did, as rows of the tables; texts also while they are hidden
 * from others.
 */
export type PersonData = {
  incidents: (Written & {
    title: string
    description: string
    isAnonymous: boolean
    severity: string
    status: string
  })[]
  comments: (Written & { incidentId: number; body: string; newStatus: string | null })[]
  photos: { incidentId: number; path: string; createdAt: Date }[]
  notes: (Written & { incidentId: number; body: string })[]
  followed: { incidentId: number; since: Date }[]
  phones: { platform: string; createdAt: Date }[]
  /** Browsers that get push messages, at the address their push service gave them. */
  browsers: { endpoint: string; userAgent: string; createdAt: Date }[]
  acts: { id: number; at: Date; action: string; entity: string; entityId: number | null; via: string }[]
}
type Written = { id: number; createdAt: Date }

const selects: Record<keyof PersonData, string> = {
  incidents: `
    select id, coalesce(hidden_title, title) as title, coalesce(hidden_description, description) as description,
      is_anonymous as "isAnonymous", severity, status, created_at as "createdAt"
    from incidents where reporter_id = $1 order by id`,
  comments: `
    select id, incident_id as "incidentId", coalesce(hidden_body, body) as body, new_status as "newStatus",
      created_at as "createdAt"
    from incident_updates where author_id = $1 order by id`,
  photos: `
    select p.incident_id as "incidentId", p.path, p.created_at as "createdAt"
    from photos p left join incident_updates u on u.id = p.update_id join incidents i on i.id = p.incident_id
    where case when p.update_id is null then i.reporter_id else u.author_id end = $1 and p.hidden_at is null
    order by p.id`,
  notes: `
    select id, incident_id as "incidentId", body, created_at as "createdAt"
    from internal_notes where author_id = $1 order by id`,
  followed: `
    select incident_id as "incidentId", created_at as since from followers where user_id = $1 order by incident_id`,
  phones: `
    select platform, created_at as "createdAt" from devices
    where user_id = $1 and platform <> 'browser' order by id`,
  browsers: `
    select token as endpoint, user_agent as "userAgent", created_at as "createdAt" from devices
    where user_id = $1 and platform = 'browser' order by id`,
  acts: `
    select id, at, action, entity, entity_id as "entityId", via from audit_entries where actor_id = $1 order by id`,
}

/** All of it; its size follows what this person did. */
export async function readPersonData(userId: number): Promise<PersonData> {
  const read = Object.entries(selects).map(async ([name, sql]) => [name, await query(sql, [userId])] as const)
  return Object.fromEntries(await Promise.all(read)) as PersonData
}

const written = { id: rowId, createdAt: instantText }
const about = { incidentId: rowId }

/** Everything that is kept about a person (decision 7.31). Photos are read at their addresses. */
export const PersonDataJson = shape('PersonData', {
  account: AccountJson,
  incidents: z.array(
    z.strictObject({
      ...written,
      ...{ title: z.string(), description: z.string(), isAnonymous: z.boolean() },
      ...{ severity: z.string(), status: z.string() },
    }),
  ),
  comments: z.array(
    z.strictObject({ ...written, ...about, body: z.string(), newStatus: z.string().nullable() }),
  ),
  photos: z.array(z.strictObject({ ...about, address: z.string(), createdAt: instantText })),
  notes: z.array(z.strictObject({ ...written, ...about, body: z.string() })),
  followed: z.array(z.strictObject({ ...about, since: instantText })),
  phones: z.array(z.strictObject({ platform: z.string(), createdAt: instantText })),
  browsers: z.array(z.strictObject({ endpoint: z.string(), userAgent: z.string(), createdAt: instantText })),
  acts: z.array(
    z.strictObject({
      ...{ id: rowId, at: instantText, action: z.string(), entity: z.string() },
      ...{ entityId: rowId.nullable(), via: z.string() },
    }),
  ),
})

/** `addressOf`: the public address of a photo's path. */
export function presentPersonData(
  account: z.output<typeof AccountJson>,
  data: PersonData,
  addressOf: (path: string) => string,
): z.output<typeof PersonDataJson> {
  const at = <T extends { createdAt: Date }>({ createdAt, ...row }: T) => ({
    ...row,
    createdAt: createdAt.toISOString(),
  })
  return {
    account,
    incidents: data.incidents.map(at),
    comments: data.comments.map(at),
    photos: data.photos.map(({ path, ...photo }) => ({ ...at(photo), address: addressOf(path) })),
    notes: data.notes.map(at),
    followed: data.followed.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })),
    phones: data.phones.map(at),
    browsers: data.browsers.map(at),
    acts: data.acts.map(({ at: then, ...act }) => ({ ...act, at: then.toISOString() })),
  }
}

const throttle = 'writes'
const addressOf = (path: string) => `${publicAddress()}/api/photos/${path}`

/** A file for the person it is about. */
async function dataOf(ctx: Context, id: number): Promise<{ data: z.output<typeof PersonDataJson> }> {
  const mine = ctx.state.user?.id === id ? ctx.state.session?.hash : null
  const account = await accountOf(id, mine ?? null)
  ctx.set('Content-Disposition', `attachment; filename="person-${id}.json"`)
  return { data: presentPersonData(account, await readPersonData(id), addressOf) }
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
    handle: () => ({
      view: 'accounts/erase',
      extras: { whom: null, of: '/account', back: '/account?tab=data' },
    }),
  }),

  route({
    method: 'post',
    paths: both('/account/erase'),
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
        extras: { whom: name, of: `/admin/users/${id}`, back: `/admin/users/${id}` },
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/users/:id/erase'),
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
