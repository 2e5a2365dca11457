import { z } from 'zod'
import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import type { Context } from '../../platform/http/context.js'
import { instantText, rowId, shape } from '../../platform/http/json.js'
import { both } from '../../platform/http/paths.js'
import { noContent, page } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { signOut } from '../../platform/http/session/sessionCookie.js'
import { trashPhotos } from '../../platform/photos/photoFiles.js'
import { publicAddress } from '../../platform/process/config.js'
import { type Actor, demand } from '../../vocabulary/people/actor.js'
import { erasedAddress, erasedName } from '../../vocabulary/people/personName.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { AccountJson } from '../account/json.js'
import { accountOf } from '../account/routes.js'
import { endSessionsOf } from '../users/endAccess.js'
import { lockedUser, requireAdmin, requirePerson } from '../users/lockedUser.js'
import { User } from '../users/user.js'
import { findUser } from '../users/userEntity.js'

/**
 * SQL of what the account `$1` reported, wrote and did, by its name in the file. The texts are in
 * it even while they are hidden from others.
 */
const selects = {
  incidents: `
    select id, coalesce(hidden_title, title) as title, coalesce(hidden_description, description) as description,
      is_anonymous, severity, status, created_at
    from incidents where reporter_id = $1 order by id`,
  comments: `
    select id, incident_id, coalesce(hidden_body, body) as body, new_status, created_at
    from incident_updates where author_id = $1 order by id`,
  emails: `
    select id, incident_id, subject, text, received_at
    from whole_email_authors where author_id = $1 order by id`,
  photos: `
    select p.incident_id, p.path, p.created_at
    from photos p left join incident_updates u on u.id = p.update_id join incidents i on i.id = p.incident_id
    where case when p.update_id is null then i.reporter_id else u.author_id end = $1 and p.hidden_at is null
    order by p.id`,
  notes: `
    select id, incident_id, body, created_at
    from internal_notes where author_id = $1 order by id`,
  followed: `
    select incident_id, created_at as since from followers where user_id = $1 order by incident_id`,
  phones: `
    select platform, created_at from devices
    where user_id = $1 and platform <> 'browser' order by id`,
  browsers: `
    select token as endpoint, user_agent, created_at from devices
    where user_id = $1 and platform = 'browser' order by id`,
  acts: `
    select id, at, action, entity, entity_id, via from audit_entries where actor_id = $1 order by id`,
}

const written = { id: rowId, createdAt: instantText }
const about = { incidentId: rowId }

/** Everything that is kept about a person (decision 7.31). Photos are read at their addresses. */
const PersonDataJson = shape('PersonData', {
  account: AccountJson,
  incidents: z.array(
    z.strictObject({
      ...written,
      title: z.string(),
      description: z.string(),
      isAnonymous: z.boolean(),
      severity: z.string(),
      status: z.string(),
    }),
  ),
  comments: z.array(
    z.strictObject({ ...written, ...about, body: z.string(), newStatus: z.string().nullable() }),
  ),
  emails: z.array(
    z.strictObject({
      id: rowId,
      incidentId: rowId,
      subject: z.string(),
      text: z.string(),
      receivedAt: instantText,
    }),
  ),
  photos: z.array(z.strictObject({ ...about, address: z.string(), createdAt: instantText })),
  notes: z.array(z.strictObject({ ...written, ...about, body: z.string() })),
  followed: z.array(z.strictObject({ ...about, since: instantText })),
  phones: z.array(z.strictObject({ platform: z.string(), createdAt: instantText })),
  browsers: z.array(z.strictObject({ endpoint: z.string(), userAgent: z.string(), createdAt: instantText })),
  acts: z.array(
    z.strictObject({
      id: rowId,
      at: instantText,
      action: z.string(),
      entity: z.string(),
      entityId: rowId.nullable(),
      via: z.string(),
    }),
  ),
})

type PersonData = z.output<typeof PersonDataJson>

/** Reads everything but the account itself. The size of the answer follows what the person did. */
async function readPersonData(userId: number): Promise<Omit<PersonData, 'account'>> {
  const lists = Object.entries(selects).map(async ([name, sql]) => {
    const rows = await query<Record<string, unknown>>(sql, [userId])
    return [name, rows.map(rowOfFile)] as const
  })
  return Object.fromEntries(await Promise.all(lists)) as never
}

/** A row as the file has it: instants as text, and the address of a photo instead of its path. */
function rowOfFile(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name === 'path') return ['address', `${publicAddress()}/api/photos/${value}`]
      return [name, value instanceof Date ? value.toISOString() : value]
    }),
  )
}

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
      extras: { whom: null, of: '/account', back: '/account?tab=data' },
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
        extras: { whom: name, of: `/admin/users/${id}`, back: `/admin/users/${id}` },
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

/**
 * Erases a person's account and data, also of what their address did without an account (decision
 * 7.31). Erasing an account that is gone already changes nothing. Throws Forbidden, NotFound,
 * SignInAgain; Conflict for the last active admin and the app's account.
 */
async function erasePerson(actor: Actor, id: number): Promise<void> {
  if (actor.id !== id) demand(actor, 'user.manage')
  const droppedPhotos = await change(actor, async (c) => {
    const { user, otherAdmins } = await lockedUser(c, id)
    if (user === null) {
      orNotFound(await User.query(c.trx).findById(id))
      c.noop()
      return []
    }
    requirePerson(user)
    requireAdmin(user, null, otherAdmins)
    c.audit('user.erased', id)
    await endSessionsOf(c, id)
    await eraseUser(c, id)
    await eraseAddress(c, user.email)
    const photos: { path: string }[] = await c
      .trx('staged_photos')
      .where({ userId: id })
      .delete()
      .returning('path')
    await anonymizeUser(c, id)
    return photos
  })
  await trashPhotos(droppedPhotos)
}

/** Tables of what is stored about a user or signs them in, and the column that names the user. */
const rowsOfUser: [table: string, whose: 'userId' | 'recipientId'][] = [
  ['sessions', 'userId'],
  ['email_links', 'userId'],
  ['pending_sign_ins', 'userId'],
  ['identities', 'userId'],
  ['second_factors', 'userId'],
  ['known_devices', 'userId'],
  ['devices', 'userId'],
  ['followers', 'userId'],
  ['unfollows', 'userId'],
  ['email_follows', 'userId'],
  ['guest_reports', 'userId'],
  ['outbox', 'recipientId'],
]

/** What an email to sort loses of its sender, who may have written from an earlier address. */
const erasedHeldEmail = {
  senderName: null,
  senderAddress: null,
  wholeSubject: null,
  wholeText: null,
  mark: null,
}

/** Erases what is stored of the user, and what signs them in. */
async function eraseUser(c: Change, id: number): Promise<void> {
  for (const [table, whose] of rowsOfUser) await c.trx(table).where(whose, id).delete()
  await c
    .trx('idempotency_keys')
    .where({ caller: `user:${id}` })
    .delete()
  await c.query(
    'delete from whole_emails where id in (select id from whole_email_authors where author_id = $1)',
    [id],
  )
  await c
    .trx('held_emails')
    .where({ userId: id })
    .update({ userId: null, ...erasedHeldEmail })
  await c.trx('incidents').where({ assigneeId: id }).update({ assigneeId: null })
}

/**
 * Erases the address, with which the person may also have written or followed without the account.
 */
async function eraseAddress(c: Change, address: string): Promise<void> {
  const rowsOf = (table: string, column: string) =>
    c.trx(table).whereRaw(`lower(${column}) = lower(?)`, address)
  await rowsOf('email_followers', 'address').delete()
  await rowsOf('inbound_emails', 'sender').delete()
  // The signatures and quoted history in whole emails name people, and staff cannot hide them. What
  // the email became on the report's page stays.
  await c.query(
    `delete from whole_emails where id in (
       select id from whole_email_authors where lower(author_email) = lower($1))`,
    [address],
  )
  await rowsOf('held_emails', 'sender_address').update(erasedHeldEmail)
  await rowsOf('incidents', 'reporter_email').update({ reporterEmail: null })
  await rowsOf('incident_updates', 'author_email').update({ authorEmail: null })
  await rowsOf('internal_notes', 'author_email').update({ authorEmail: '' })
}

/** Empties the row of the user, which stays: incidents, updates and the audit log refer to it. */
async function anonymizeUser(c: Change, id: number): Promise<void> {
  await c
    .trx('users')
    .where({ id })
    .update({
      name: erasedName,
      email: erasedAddress(id),
      role: 'resident',
      active: false,
      passwordHash: null,
      unitId: null,
      locale: 'en',
      notifications: {},
      passwordOpenUntil: null,
      erasedAt: c.now,
    })
}
