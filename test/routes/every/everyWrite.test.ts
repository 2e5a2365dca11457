import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { config } from '../../../src/config.js'
import { query } from '../../../src/database.js'
import { auditActions, neededFor } from '../../../src/domain/audit/auditActions.js'
import { dateIn } from '../../../src/domain/time/calendar.js'
import { mintToken } from '../../../src/models/accounts/accountToken.js'
import { mintConfirmation } from '../../../src/models/mail/mailFollower.js'
import { texts } from '../../../src/text/index.js'
import type { Context } from '../../../src/web/context.js'
import { answerToken } from '../../../src/web/session/answerToken.js'
import { unsubscribeToken } from '../../../src/web/session/unsubscribeToken.js'
import { cookieOf, useApp, type Who } from '../../support/app.js'
import { asOwner } from '../../support/database.js'
import { mailedSignIn, mailedSignUp } from '../../support/guests/signInLinks.js'
import { impactFaults } from '../../support/impacts.js'
import { heldMail } from '../../support/mail/heldMails.js'
import { mailFollower } from '../../support/mail/mailFollowers.js'
import { leaveMail } from '../../support/mail/messages.js'
import { linkedIdentity, offeredIdentity, unusedProvider } from '../../support/oidc/unusedProvider.js'
import { newBrowser, subscriptionOf, useWebPush } from '../../support/push/subscription.js'
import { writeEndpoints } from '../../support/routes/endpoints.js'
import { codeNow, secondFactorFor, startedFor } from '../../support/secondFactor.js'
import { pairsOf, sampled } from '../../support/suite/extent.js'

/** What each write was read by, as the requests below found it: route → field → its schema; and by which encodings. */
const { readBy, readAs } = vi.hoisted(() => ({
  readBy: new Map<string, Map<string, z.ZodType>>(),
  readAs: new Set<string>(),
}))

vi.mock('../../../src/web/request/input.js', async (original) => {
  const real = await original<typeof import('../../../src/web/request/input.js')>()
  const noted =
    (read: (ctx: any, schema: any) => unknown) =>
    (ctx: Context & { _matchedRoute: string }, schema: z.ZodObject) => {
      const route = `${ctx.method} ${ctx._matchedRoute}`
      const fields = readBy.get(route) ?? new Map<string, z.ZodType>()
      for (const [name, field] of Object.entries(schema.shape)) {
        fields.set(name, field as z.ZodType)
        readAs.add(`${route} ${name} ${ctx.is('json') ? 'json' : 'form'}`)
      }
      readBy.set(route, fields)
      return read(ctx, schema)
    }
  return { ...real, input: noted(real.input), subset: noted(real.subset) }
})

const app = useApp()
useWebPush()
const writes = writeEndpoints.map(({ method, path }) => `${method} ${path}`)

/**
 * One use of a write route that is meant to succeed. `:id` and the like in its address are replaced by `ids`; `acts` is
 * every audit entry it leaves.
 */
type Use = { who?: Who; cookie?: string; ids?: (number | string)[]; json?: object; acts: string[] }
type Example = () => Use | Promise<Use>

let counter = 0
const fresh = (word: string) => `${word} ${++counter}`

const incident = async (given: object = {}): Promise<number> =>
  (
    await app.json('resident', '/api/incidents', {
      json: { assetId: 2, title: fresh('Fault'), severity: 'high', ...given },
    })
  ).id
const resolved = async () => {
  const id = await incident()
  await app.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'x', newStatus: 'resolved' } })
  return id
}
const made = async (path: string, json: object): Promise<number> =>
  (await app.json('admin', `/api/admin/${path}`, { json })).id
const userId = async (email: string) =>
  (await query<{ id: number }>('select id from users where email = $1', [email]))[0]!.id

const cost = async () => {
  const id = await incident()
  const { id: costId } = await app.json('admin', `/api/incidents/${id}/costs`, { json: { amountCents: 100 } })
  return [id, costId as number]
}

const webhook = { url: 'https://receiver.example/hook', events: ['incident.created'], active: true }
const asset = () => ({ towerId: 1, name: fresh('Lamp'), category: 'Light', contactId: 1 })
const unit = () => ({ towerId: 1, number: fresh('9'), floor: 9 })
const maintenanceWindow = () => ({
  assetId: 1,
  title: fresh('Service'),
  startsAt: '2030-01-01T08:00:00Z',
  endsAt: '2030-01-01T09:00:00Z',
  recurrence: 'none',
})
/** Work that began a week ago and repeats, and the date of it in a week. */
const series = async () => {
  const began = Date.now() - 7 * 86_400_000
  const ahead = began + 14 * 86_400_000
  const times = { startsAt: new Date(began).toISOString(), endsAt: new Date(began + 3_600_000).toISOString() }
  const id = await made('maintenance', { ...maintenanceWindow(), ...times, recurrence: 'weekly' })
  // By the calendar: the clocks may be changed within these two weeks.
  const date = dateIn('UTC', Date.parse(dateIn('Europe/London', began)) + 14 * 86_400_000)
  return { id, date, startsAt: new Date(ahead + 7_200_000).toISOString() }
}
const contact = () => ({ name: fresh('Plumber') })
const template = () => ({ name: fresh('Template'), wordsEn: 'Seen.' })
const tower = () => ({ name: fresh('Tower') })
const person = () => ({ name: fresh('Person'), email: `person${++counter}@example.com`, role: 'resident' })

const password = 'a quiet rainy afternoon'

/** Somebody new, signed in. */
async function member() {
  const { id, email } = await app.json('admin', '/api/admin/users', { json: { ...person(), password } })
  return {
    id: id as number,
    email: email as string,
    who: 'guest' as const,
    cookie: await app.signIn(email),
  }
}

/** An incident to which that was done. */
async function after(verb: 'hide' | 'dismiss'): Promise<number> {
  const id = await incident()
  await app.json('manager', `/api/incidents/${id}/${verb}`, { json: {} })
  return id
}

async function merged(): Promise<number> {
  const id = await incident()
  await app.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: await incident() } })
  return id
}

afterAll(() => {
  config.singleSignOn = null
})

/** Somebody new who may also sign in at a provider; `ids` is that link. */
async function linkedMember() {
  const { email: _email, ...one } = await member()
  return { ...one, ids: [await linkedIdentity(one.id)] }
}

async function memberWithSecondFactor() {
  const one = await member()
  return { ...one, ...(await secondFactorFor(app, one.cookie)) }
}

/** The same in two browsers; `ids` is the other one's session. */
async function memberTwice() {
  const { email, ...one } = await member()
  await app.signIn(email)
  const { sessions } = await (
    await app.ask('guest', '/api/account', { headers: { cookie: one.cookie } })
  ).json()
  return { ...one, ids: [sessions.find(({ current }: { current: boolean }) => !current).id] }
}

async function memberWithBrowser() {
  const { email: _email, ...one } = await member()
  const { id } = await app.json('guest', '/api/account/browsers', {
    json: subscriptionOf(newBrowser()),
    headers: { cookie: one.cookie },
  })
  return { ...one, ids: [id] }
}

async function ownFollow(): Promise<Use> {
  const one = await member()
  await app.json('guest', '/api/follows', { json: { towerId: 1 }, headers: { cookie: one.cookie } })
  const { follows } = await app.json('guest', '/api/account', { headers: { cookie: one.cookie } })
  return { ...one, ids: [follows[0].id], json: {}, acts: ['user.unfollowed'] }
}

async function passwordLink(purpose: 'invite' | 'reset', act: string): Promise<Use> {
  const { token } = await mintToken(await made('users', person()), purpose)
  return {
    who: 'guest',
    ids: [token],
    json: { password: 'another quiet evening' },
    acts: [act, 'user.signed_in'],
  }
}

async function flagChange(): Promise<Use> {
  const [flag] = await app.json('admin', '/api/admin/flags')
  return { ids: [flag.name], json: { enabled: !flag.enabled }, acts: ['feature_flag.updated'] }
}

/** The four or five writes of a resource, as JSON and as forms. */
function resource(
  path: string,
  entity: string,
  given: () => object,
  change: object,
): Record<string, Example> {
  const one = async () => [await made(path, given())]
  return {
    [`POST /admin/${path}`]: () => ({ json: given(), acts: [`${entity}.created`] }),
    [`PATCH /admin/${path}/:id`]: async () => ({
      ids: await one(),
      json: change,
      acts: [`${entity}.updated`],
    }),
    [`POST /admin/${path}/:id`]: async () => ({
      ids: await one(),
      json: { ...given(), ...change },
      acts: [`${entity}.updated`],
    }),
    [`DELETE /admin/${path}/:id`]: async () => ({ ids: await one(), acts: [`${entity}.deleted`] }),
    [`POST /admin/${path}/:id/delete`]: async () => ({
      ids: await one(),
      json: {},
      acts: [`${entity}.deleted`],
    }),
  }
}

function archivable(path: string, entity: string, given: () => object): Record<string, Example> {
  return {
    [`POST /admin/${path}/:id/archive`]: async () => ({
      ids: [await made(path, given())],
      json: {},
      acts: [`${entity}.archived`],
    }),
    [`POST /admin/${path}/:id/unarchive`]: async () => {
      const id = await made(path, given())
      await app.json('admin', `/api/admin/${path}/${id}/archive`, { json: {} })
      return { ids: [id], json: {}, acts: [`${entity}.unarchived`] }
    },
  }
}

/** By method and address without /api: the page and the API address of a route do the same. */
const examples: Record<string, Example> = {
  'POST /report': () => ({
    who: 'resident',
    json: { assetId: 1, title: 'x', severity: 'low' },
    acts: ['incident.created'],
  }),
  'POST /incidents': () => ({
    who: 'mobile',
    json: { assetId: 1, title: 'x', severity: 'low' },
    acts: ['incident.created'],
  }),
  'POST /incidents/:id/updates': async () => ({
    ids: [await incident()],
    json: { body: 'x', newStatus: 'acknowledged' },
    acts: ['incident.status_changed'],
  }),
  'POST /incidents/:id/verify': async () => ({
    who: 'resident',
    ids: [await resolved()],
    json: { fixed: true },
    acts: ['incident.verified'],
  }),
  'POST /incidents/:id/merge': async () => ({
    ids: [await incident()],
    json: { targetId: await incident() },
    acts: ['incident.merged'],
  }),
  'POST /incidents/:id/merge/preview': async () => ({
    ids: [await incident()],
    json: { targetId: await incident() },
    acts: [],
  }),
  'POST /incidents/:id/duplicates/preview': async () => ({
    ids: [await incident()],
    json: { duplicateIds: [await incident(), await incident()] },
    acts: [],
  }),
  'POST /incidents/:id/duplicates': async () => ({
    ids: [await incident()],
    json: { duplicateIds: [await incident(), await incident()] },
    acts: ['incident.merged', 'incident.merged'],
  }),
  'POST /incidents/:id/unmerge': async () => ({
    ids: [await merged()],
    json: {},
    acts: ['incident.unmerged'],
  }),
  'POST /incidents/:id/hide': async () => ({
    ids: [await incident()],
    json: {},
    acts: ['incident.hidden'],
  }),
  'POST /incidents/:id/restore': async () => ({
    ids: [await after('hide')],
    json: {},
    acts: ['incident.restored'],
  }),
  'POST /incidents/:id/dismiss': async () => ({
    ids: [await incident()],
    json: {},
    acts: ['incident.dismissed'],
  }),
  'POST /incidents/:id/reinstate': async () => ({
    ids: [await after('dismiss')],
    json: {},
    acts: ['incident.reinstated'],
  }),
  'POST /incidents/:id/follow': async () => ({
    ids: [await incident()],
    json: {},
    acts: ['incident.followed'],
  }),
  'DELETE /incidents/:id/follow': async () => ({
    who: 'resident',
    ids: [await incident()],
    acts: ['incident.unfollowed'],
  }),
  'POST /incidents/:id/unfollow': async () => ({
    who: 'resident',
    ids: [await incident()],
    json: {},
    acts: ['incident.unfollowed'],
  }),
  'PATCH /incidents/:id': async () => ({
    ids: [await incident()],
    json: { title: 'y' },
    acts: ['incident.edited'],
  }),
  'POST /incidents/:id/edit': async () => ({
    ids: [await incident()],
    json: { title: 'y' },
    acts: ['incident.edited'],
  }),
  'POST /incidents/:id/notes': async () => ({
    ids: [await incident()],
    json: { note: 'x' },
    acts: ['incident.noted'],
  }),
  'POST /incidents/:id/edit/preview': async () => ({
    ids: [await incident()],
    json: { title: 'y' },
    acts: [],
  }),
  'POST /incidents/:id/costs': async () => ({
    ids: [await incident()],
    json: { amountCents: 1200, amount: '12.00', vendor: 'x' },
    acts: ['incident.cost_added'],
  }),
  'DELETE /incidents/:id/costs/:costId': async () => ({ ids: await cost(), acts: ['incident.cost_voided'] }),
  'POST /incidents/:id/costs/:costId/void': async () => ({
    ids: await cost(),
    json: {},
    acts: ['incident.cost_voided'],
  }),
  'PATCH /admin/property': () => ({ json: { name: fresh('House') }, acts: ['property.updated'] }),
  'POST /admin/property': async () => ({
    json: { ...(await app.json('admin', '/api/admin/property')), name: fresh('House') },
    acts: ['property.updated'],
  }),
  'POST /cron/sweep': async () => {
    await app.json('cron', '/api/cron/sweep', { json: {} })
    const id = await incident({ severity: 'low' })
    await query(`update incidents set created_at = now() - interval '400 days' where id = $1`, [id])
    return { who: 'cron', json: {}, acts: ['incident.sla_breached'] }
  },
  'POST /cron/digest': () => ({ who: 'cron', json: {}, acts: ['digest.sent'] }),
  'POST /devices': () => ({
    who: 'resident',
    json: { token: fresh('token'), platform: 'ios' },
    acts: ['device.registered'],
  }),
  'POST /sign-in/link': () => ({
    who: 'guest',
    json: { email: 'resident@example.com' },
    acts: ['user.sign_in_link_asked'],
  }),
  'POST /sign-in/link/:token': async () => {
    const { ids, cookie } = await mailedSignIn(app)
    return { who: 'guest', cookie, ids, json: {}, acts: ['user.sign_in_link_used', 'user.signed_in'] }
  },
  'POST /sign-up/:token': async () => {
    const { ids, cookie } = await mailedSignUp(app, `new${++counter}@outside.test`)
    return {
      who: 'guest',
      cookie,
      ids,
      json: { name: 'Ida Lindqvist' },
      acts: ['user.signed_up', 'user.signed_in'],
    }
  },
  'POST /fixed/:token': async () => {
    const id = await resolved()
    const [row] = await query<{ userId: number; resolvedAt: Date }>(
      'select reporter_id as "userId", resolved_at as "resolvedAt" from incidents where id = $1',
      [id],
    )
    const ids = [answerToken({ incidentId: id, ...row! })]
    return { who: 'guest', ids, json: { fixed: true }, acts: ['incident.verified'] }
  },
  'POST /unsubscribe/:token': async () => ({
    who: 'guest',
    ids: [unsubscribeToken(await userId('resident@example.com'), 'status')],
    json: {},
    acts: ['user.unsubscribed'],
  }),
  'POST /unsubscribe/:token/undo': async () => {
    const token = unsubscribeToken(await userId('resident@example.com'), 'merged')
    await app.ask('guest', `/unsubscribe/${token}`, { json: {} })
    return { who: 'guest', ids: [token], json: {}, acts: ['user.resubscribed'] }
  },
  'POST /follow': () => ({
    who: 'guest',
    json: { email: `jo${++counter}@outside.test`, assetId: 1 },
    acts: ['mail_follower.asked'],
  }),
  'POST /follow/:token': async () => ({
    who: 'guest',
    ids: [(await mintConfirmation(await mailFollower(`jo${++counter}@outside.test`), 'asset:1')).token],
    json: {},
    acts: ['mail_follower.confirmed'],
  }),
  'POST /follows': async () => ({ ...(await member()), json: { assetId: 1 }, acts: ['user.followed'] }),
  'DELETE /follows/:id': () => ownFollow(),
  'POST /follows/:id/end': () => ownFollow(),
  'POST /inbound-email': () => ({
    who: 'inbound',
    json: { from: 'a@x.example', subject: fresh('Smell'), text: 'x' },
    acts: ['incident.created'],
  }),
  'POST /triage': () => ({ who: 'resident', json: { title: 'x' }, acts: [] }),
  'POST /report/suggest': () => ({ who: 'resident', json: { title: 'x' }, acts: [] }),
  'POST /admin/acknowledge': async () => ({
    json: { ids: [await incident()] },
    acts: ['incident.status_changed'],
  }),
  'POST /admin/seen': async () => {
    const id = await incident()
    await app.json('resident', `/api/incidents/${id}/updates`, { json: { body: 'And?' } })
    return { json: { ids: [id] }, acts: ['incident.seen'] }
  },
  'POST /incidents/:id/updates/template': async () => ({
    ids: [await incident()],
    json: { template: `${await made('templates', template())}-en` },
    acts: [],
  }),
  'POST /admin/hand-over': async () => ({
    json: { ids: [await incident()], dueOn: '2030-01-01' },
    acts: ['incident.edited'],
  }),
  'POST /admin/merge/preview': async () => ({
    json: { ids: [await incident(), await incident()] },
    acts: [],
  }),
  'POST /admin/assign': async () => ({
    json: { ids: [await incident()], assetId: 3 },
    acts: ['incident.edited'],
  }),
  'POST /admin/mails/accept': async () => ({
    json: { ids: [await heldMail()] },
    acts: ['mail.accepted', 'incident.created'],
  }),
  'POST /admin/mails/discard': async () => ({ json: { ids: [await heldMail()] }, acts: ['mail.discarded'] }),
  ...resource('towers', 'tower', tower, { sortOrder: 7 }),
  ...resource('contacts', 'contact', contact, { notes: 'x' }),
  ...resource('templates', 'reply_template', template, { wordsEs: 'Visto.' }),
  'POST /admin/contacts/:id/move': async () => ({
    ids: [await made('contacts', { ...contact(), sortOrder: 90_000 })],
    json: { direction: 'up' },
    acts: ['contact.moved'],
  }),
  ...resource('assets', 'asset', asset, { description: 'x' }),
  ...archivable('assets', 'asset', asset),
  ...resource('units', 'unit', unit, { floor: 8 }),
  ...archivable('units', 'unit', unit),
  ...resource('maintenance', 'maintenance_window', maintenanceWindow, { notes: 'x' }),
  'POST /admin/maintenance/preview': () => ({ json: maintenanceWindow(), acts: [] }),
  'POST /admin/maintenance/:id/preview': async () => ({
    ids: [await made('maintenance', maintenanceWindow())],
    json: maintenanceWindow(),
    acts: [],
  }),
  'POST /admin/maintenance/:id/skip': async () => {
    const { id, date } = await series()
    return { ids: [id], json: { date }, acts: ['maintenance_window.date_skipped'] }
  },
  'POST /admin/maintenance/:id/move': async () => {
    const { id, date, startsAt } = await series()
    const endsAt = new Date(Date.parse(startsAt) + 60_000).toISOString()
    return { ids: [id], json: { date, startsAt, endsAt }, acts: ['maintenance_window.date_moved'] }
  },
  'POST /admin/maintenance/:id/restore': async () => {
    const { id, date } = await series()
    await app.json('admin', `/api/admin/maintenance/${id}/skip`, { json: { date } })
    return { ids: [id], json: { date }, acts: ['maintenance_window.date_restored'] }
  },
  'POST /admin/maintenance/:id/end': async () => ({
    ids: [(await series()).id],
    json: {},
    acts: ['maintenance_window.updated'],
  }),
  ...resource('webhooks', 'webhook_subscription', () => webhook, { active: false }),
  ...resource('users', 'user', person, { name: 'Somebody' }),
  'POST /language': async () => {
    await query(`update users set locale = 'xx' where email = 'board@example.com'`)
    return { who: 'board', json: { locale: 'en' }, acts: ['user.updated'] }
  },
  'POST /admin/webhooks/:id': async () => {
    const id = await made('webhooks', webhook)
    const page = await app.page('admin', `/admin/webhooks/${id}`)
    const seen = page('input[name=seen]').attr('value')!
    return { ids: [id], json: { ...webhook, active: false, seen }, acts: ['webhook_subscription.updated'] }
  },
  'POST /admin/webhooks/:id/secret': async () => ({
    ids: [await made('webhooks', webhook)],
    json: {},
    acts: ['webhook_subscription.secret_rotated'],
  }),
  'POST /admin/webhooks/:id/test': async () => ({
    ids: [await made('webhooks', webhook)],
    json: {},
    acts: ['webhook_subscription.tested'],
  }),
  'POST /admin/deliveries/:id/retry': async () => {
    await leaveMail('sweep.report', { escalated: [] }, 'board@example.com')
    const [row] = await query<{ id: number }>(
      'update outbox set failed_at = now(), attempts = 6 where id = (select max(id) from outbox) returning id',
    )
    return { ids: [row!.id], json: {}, acts: ['message.retried'] }
  },
  'POST /admin/start/dismissal': async () => {
    await query('update properties set start_dismissed_at = null')
    return { json: {}, acts: ['property.start_dismissed'] }
  },
  'POST /admin/users/invitations': async () => {
    await query(`delete from outbox where event = 'account.invited'`)
    await made('users', person())
    await query(`delete from outbox where event = 'account.invited'`)
    return { json: {}, acts: ['user.all_invited'] }
  },
  'POST /admin/users/:id/invitation': async () => ({
    ids: [await made('users', person())],
    json: {},
    acts: ['user.invited'],
  }),
  'POST /admin/users/:id/sign-out': async () => ({
    ids: [(await member()).id],
    json: {},
    acts: ['user.signed_out_everywhere'],
  }),
  'POST /admin/users/:id/erase': async () => ({
    ids: [(await member()).id],
    json: {},
    acts: ['user.erased'],
  }),
  'PATCH /admin/flags/:name': () => flagChange(),
  'POST /admin/flags/:name': () => flagChange(),
  'PATCH /account': async () => ({ ...(await member()), json: { name: 'Renamed' }, acts: ['user.updated'] }),
  'POST /account': async () => ({
    ...(await member()),
    json: { name: 'Renamed', locale: 'en' },
    acts: ['user.updated'],
  }),
  'POST /account/erase': async () => ({
    cookie: (await member()).cookie,
    json: {},
    acts: ['user.erased'],
  }),
  'POST /account/followed': async () => ({
    ...(await member()),
    json: { followed: 'status' },
    acts: ['user.updated'],
  }),
  'POST /account/notifications': async () => ({
    ...(await member()),
    json: { on: ['status.mail'] },
    acts: ['user.updated'],
  }),
  'POST /account/password': async () => ({
    ...(await member()),
    json: { currentPassword: password, password: 'another quiet evening' },
    acts: ['user.password_changed'],
  }),
  'DELETE /account/sessions': async () => ({ ...(await memberTwice()), acts: ['user.signed_out_elsewhere'] }),
  'POST /account/sessions/end': async () => ({
    ...(await memberTwice()),
    json: {},
    acts: ['user.signed_out_elsewhere'],
  }),
  'DELETE /account/sessions/:id': async () => ({ ...(await memberTwice()), acts: ['user.session_ended'] }),
  'POST /account/sessions/:id/end': async () => ({
    ...(await memberTwice()),
    json: {},
    acts: ['user.session_ended'],
  }),
  'POST /account/browsers': async () => ({
    ...(await member()),
    json: subscriptionOf(newBrowser()),
    acts: ['device.registered'],
  }),
  'DELETE /account/browsers/:id': async () => ({ ...(await memberWithBrowser()), acts: ['device.removed'] }),
  'POST /account/browsers/:id/remove': async () => ({
    ...(await memberWithBrowser()),
    json: {},
    acts: ['device.removed'],
  }),
  'POST /invitation/:token': () => passwordLink('invite', 'user.invitation_accepted'),
  'POST /auth/invitation/:token': () => passwordLink('invite', 'user.invitation_accepted'),
  'POST /reset-password/:token': () => passwordLink('reset', 'user.password_reset'),
  'POST /auth/reset-password/:token': () => passwordLink('reset', 'user.password_reset'),
  'POST /forgot-password': () => ({
    who: 'guest',
    json: { email: 'board@example.com' },
    acts: ['user.reset_requested'],
  }),
  'POST /auth/forgot-password': () => ({
    who: 'guest',
    json: { email: 'nobody@example.com' },
    acts: ['user.reset_requested'],
  }),
  'POST /sign-out': async () => ({ ...(await member()), json: {}, acts: ['user.signed_out'] }),
  'POST /auth/sign-out': async () => ({ ...(await member()), json: {}, acts: ['user.signed_out'] }),
  'POST /admin/import': () => ({ json: { kind: 'contacts', csv: `name\n${fresh('Imported')}` }, acts: [] }),
  'POST /admin/import/:kind': () => ({
    ids: ['contacts'],
    json: { csv: `name\n${fresh('Imported')}` },
    acts: ['contact.created'],
  }),
  'POST /sign-in/code': async () => {
    const { email, code } = await memberWithSecondFactor()
    const begun = await app.ask('guest', '/sign-in', {
      form: { email, password },
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    })
    const json = { code: await code() }
    return { who: 'guest', cookie: cookieOf(begun), json, acts: ['user.code_accepted', 'user.signed_in'] }
  },
  'POST /account/identities': async () => {
    config.singleSignOn = unusedProvider
    return { ...(await member()), json: {}, acts: ['user.identity_link_started'] }
  },
  'POST /account/identities/confirmation': async () => {
    config.singleSignOn = unusedProvider
    const one = await member()
    return { ...one, json: { offer: await offeredIdentity(one.id) }, acts: ['user.identity_linked'] }
  },
  'POST /account/identities/:id/unlink': async () => ({
    ...(await linkedMember()),
    json: {},
    acts: ['user.identity_unlinked'],
  }),
  'DELETE /account/identities/:id': async () => ({
    ...(await linkedMember()),
    acts: ['user.identity_unlinked'],
  }),
  'POST /sign-in/resume': async () => ({ ...(await member()), json: { typed: '' }, acts: [] }),
  'POST /account/second-factor': async () => ({
    ...(await member()),
    json: {},
    acts: ['user.second_factor_started'],
  }),
  'POST /account/second-factor/confirmation': async () => {
    const one = await member()
    const json = { code: codeNow(await startedFor(app, one.cookie)) }
    return { ...one, json, acts: ['user.second_factor_on'] }
  },
  'POST /account/second-factor/recovery-codes': async () => ({
    ...(await memberWithSecondFactor()),
    json: {},
    acts: ['user.recovery_codes_made'],
  }),
  'POST /account/second-factor/off': async () => ({
    ...(await memberWithSecondFactor()),
    json: {},
    acts: ['user.second_factor_off'],
  }),
  'DELETE /account/second-factor': async () => ({
    ...(await memberWithSecondFactor()),
    acts: ['user.second_factor_off'],
  }),
  'POST /admin/users/:id/unlink': async () => {
    const { id } = await linkedMember()
    return { ids: [id], json: {}, acts: ['user.identities_removed'] }
  },
  'POST /admin/users/:id/second-factor-reset': async () => ({
    ids: [(await memberWithSecondFactor()).id],
    json: {},
    acts: ['user.second_factor_reset'],
  }),
  'POST /sign-in': () => ({
    who: 'guest',
    json: { email: 'board@example.com', password: 'caretaker-demo' },
    acts: ['user.signed_in'],
  }),
  'POST /auth/sign-in/email': () => ({
    who: 'guest',
    json: { email: 'board@example.com', password: 'caretaker-demo' },
    acts: ['user.signed_in'],
  }),
}

const keyOf = (route: string) => route.replace(' /api/', ' /')
const addressOf = (route: string, ids: (number | string)[] = []) => {
  const rest = [...ids]
  return route.split(' ')[1]!.replaceAll(/:\w+/g, () => String(rest.shift()))
}
/** As a page's form sends it: text, and a list as its name several times. */
function asForm(json: object): URLSearchParams {
  const pairs = Object.entries(json).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return new URLSearchParams(pairs)
}

type Entry = { action: string; actorType: string }

const newest = async () =>
  (await query<{ id: number }>('select coalesce(max(id), 0) as id from audit_entries'))[0]!.id

/** Sends an example as its route is meant to be used. */
const used = (route: string, { who = 'admin', cookie, ids, json }: Use) =>
  app.ask(who, addressOf(route, ids), {
    method: route.split(' ')[0]!,
    headers: { 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) },
    ...(json ? (route.includes(' /api/') ? { json } : { body: asForm(json) }) : {}),
  })

const roles: Who[] = ['guest', 'resident', 'mobile', 'board', 'manager', 'admin']

const withExample = writes.filter((route) => examples[keyOf(route)])
/** The write with the most to it: a timeline, a status that moves, mails, pushes and webhooks. */
const chosen = 'POST /api/incidents/:id/updates'

// A first sign-in is an entry, too.
beforeAll(async () => {
  for (const role of roles) await app.ask(role, '/healthz')
  // Nothing is sent here: who tests a subscription would wait for the outcome for as long as it may take.
  await asOwner(
    `create function ended() returns trigger language plpgsql as 'begin new.claimed_at := now(); new.finished_at := now(); return new; end';
     create trigger ended before insert on webhook_deliveries
     for each row when (new.event = 'webhook.test') execute function ended()`,
    app.url(),
  )
})

/** What people ask by an address of theirs is nobody's act: an address is no account. */
const withoutAccount = /\/forgot-password$|^POST \/sign-in\/link$|^POST (?:\/api)?\/follow(?:\/:token)?$/

describe('every write', () => {
  beforeAll(async () => {
    await query('update webhook_subscriptions set active = false')
  })

  it('has an example here', () => {
    expect(writes.filter((route) => !examples[keyOf(route)])).toEqual([])
    expect(Object.keys(examples).filter((key) => !writes.some((route) => keyOf(route) === key))).toEqual([])
  })

  it.each(withExample)('%s is in the audit log, by who did it', async (route) => {
    const use = await examples[keyOf(route)]!()
    const { who = 'admin', acts } = use
    const before = await newest()
    const answer = await used(route, use)
    expect(answer.status, await answer.text()).toBeLessThan(400)
    const entries = (await app.json('admin', '/api/audit?limit=20'))
      .filter(
        ({ id, action }: { id: number; action: string }) => id > before && action !== 'asset.status_changed',
      )
      .map(({ action, actorType }: Entry) => ({ action, actorType }))
      .sort((a: Entry, b: Entry) => a.action.localeCompare(b.action))
    const bySystem = who === 'cron' || who === 'inbound' || withoutAccount.test(route)
    // Who makes an account is nobody until it is made.
    const actorType = (action: string) => (bySystem || action === 'user.signed_up' ? 'system' : 'user')
    expect(entries).toEqual(acts.toSorted().map((action) => ({ action, actorType: actorType(action) })))
    expect(await impactFaults()).toEqual([])
  })

  it('leaves every incident doing to its asset what its fields say, whatever it changes', async () => {
    await app.json('cron', '/api/cron/sweep', { json: {} })
    for (const lives of [
      ['critical', { newStatus: 'resolved' }, { fixed: false }, { severity: 'low' }, { isDowntime: false }],
      ['critical', { unitId: 1 }, { assetId: 3 }, { isDowntime: true }, { newStatus: 'verified' }],
      ['low', { severity: 'high' }, { newStatus: 'resolved' }, { severity: 'low', retroactive: true }],
      ['medium', { isDowntime: true }, { newStatus: 'resolved' }, { newStatus: 'open' }, { assetId: 5 }],
    ] as const) {
      const [severity, ...steps] = lives
      const id = await incident({ severity })
      for (const json of steps) {
        const path = 'fixed' in json ? '/verify' : 'newStatus' in json ? '/updates' : ''
        const given = 'newStatus' in json ? { ...json, body: 'x' } : json
        await app.json(path === '/verify' ? 'resident' : 'manager', `/api/incidents/${id}${path}`, {
          method: path === '' ? 'PATCH' : 'POST',
          json: given,
        })
        expect(await impactFaults(), JSON.stringify(json)).toEqual([])
      }
    }
    const [down, other] = [await incident({ severity: 'critical' }), await incident({ severity: 'low' })]
    await app.json('manager', `/api/incidents/${down}/merge`, { json: { targetId: other } })
    expect(await impactFaults()).toEqual([])
  })

  it('is known by name, to the filter and in words', async () => {
    const rows = await query<{ action: string }>('select distinct action from audit_entries')
    expect(
      rows
        .map(({ action }) => action)
        .filter((action) => !(auditActions as readonly string[]).includes(action)),
    ).toEqual([])
    expect(Object.keys(texts.en.audit.acts).sort()).toEqual([...auditActions].sort())
  })
})

type Encoding = 'urlencoded' | 'multipart' | 'json'
type Spelling = '[]' | 'twice' | 'nested'

/** What a field's schema reads in the end, under its defaults, options and conversions. */
function innermost(schema: z.ZodType): { type: string; entries?: Record<string, string> } {
  const { def } = schema as unknown as {
    def: {
      type: string
      innerType?: z.ZodType
      in?: z.ZodType
      out?: z.ZodType
      entries?: Record<string, string>
    }
  }
  const inner = def.innerType ?? def.in
  if (!inner) return def
  const found = innermost(inner)
  // Of what is made ready before it is judged, the kind is that of the judge.
  return found.type === 'transform' && def.out ? innermost(def.out) : found
}

/** The fields of a write that take one value, each with a value of its kind. */
function scalarsOf(route: string, example: object): [string, unknown][] {
  return [...(readBy.get(route) ?? [])].flatMap(([name, schema]): [string, unknown][] => {
    const { type, entries } = innermost(schema)
    if (['array', 'object', 'unknown'].includes(type)) return []
    const plausible =
      type === 'number' ? 1 : type === 'boolean' ? true : (Object.values(entries ?? {})[3] ?? 'x')
    return [[name, (example as Record<string, unknown>)[name] ?? plausible]]
  })
}

/** A body with one field in another spelling, the others as they are. */
function spelled(json: object, [name, value]: [string, unknown], spelling: Spelling, encoding: Encoding) {
  const { [name]: _plain, ...others } = json as Record<string, unknown>
  if (encoding === 'json') {
    const again = {
      '[]': { [`${name}[]`]: value },
      twice: { [name]: [value, value] },
      nested: { [name]: { x: value } },
    }
    return { json: { ...others, ...again[spelling] } }
  }
  const pairs = [...asForm(others)]
  const again = { '[]': [`${name}[]`], twice: [name, name], nested: [`${name}[x]`] }
  pairs.push(...again[spelling].map((key): [string, string] => [key, String(value)]))
  if (encoding === 'urlencoded') return { body: new URLSearchParams(pairs) }
  const body = new FormData()
  for (const [key, text] of pairs) body.append(key, text)
  return { body }
}

const spellings: Spelling[] = ['[]', 'twice', 'nested']
const encodings: Encoding[] = ['urlencoded', 'multipart', 'json']
type Try = { role: Who; field: [string, unknown]; spelling: Spelling; encoding: Encoding }
const isOtherName = ({ spelling, encoding }: Try) => encoding === 'json' && spelling === '[]'

/** Does it for all, ten at a time. */
async function inTens<T, R>(all: T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < all.length; at += 10)
    done.push(...(await Promise.all(all.slice(at, at + 10).map(act))))
  return done
}

describe('a field that takes one value', () => {
  it('is found by the kind of what its schema reads', async () => {
    await used(chosen, await examples[keyOf(chosen)]!())
    expect(scalarsOf(chosen, {}).map(([name]) => name)).toEqual([
      ...['newStatus', 'closingReason', 'statusReason', 'expectedBackAt', 'onStatusPage', 'assigneeId'],
      ...['contactId', 'doneBy', 'dueOn', 'body', 'otherReason', 'version', 'namedAnyway'],
    ])
  })

  it.each(sampled(withExample, 6))('is read by %s under its own name, once, or not at all', async (route) => {
    const first = await examples[keyOf(route)]!()
    await used(route, first)
    if (!readBy.has(route))
      return expect(first.json ?? {}, 'nothing is sent where nothing is read').toEqual({})
    const { who = 'admin', cookie, ids, json = {} } = await examples[keyOf(route)]!()
    const send = async ({ role, field, spelling, encoding }: Try) => {
      const own = cookie !== undefined && role === who
      const answer = await app.ask(role, addressOf(route, ids), {
        method: route.split(' ')[0]!,
        headers: {
          'sec-fetch-site': 'same-origin',
          // One of them reads the page with what was typed, the others are told the same in fewer words.
          ...(role === who ? {} : { accept: 'application/json' }),
          ...(own ? { cookie } : {}),
        },
        ...spelled(json, field, spelling, encoding),
      })
      await answer.arrayBuffer()
      const read = readAs.has(`${route} ${field[0]} ${encoding === 'json' ? 'json' : 'form'}`)
      return { what: `${field[0]} ${spelling} ${encoding} as ${role}`, status: answer.status, read }
    }
    const bodies = pairsOf(scalarsOf(route, json), pairsOf(spellings, encodings))
    const tries = pairsOf([...new Set([...roles, who])], bodies).map(
      ([role, [field, [spelling, encoding]]]): Try => ({ role, field, spelling, encoding }),
    )
    // In JSON, `name[]` is another field's name, and one nobody knows is ignored (decision 4.3).
    const [ignored, refused] = [tries.filter(isOtherName), tries.filter((each) => !isOtherName(each))]
    await query('delete from throttles')
    const before = await newest()
    const answers = await inTens(refused, send)
    expect(answers.filter(({ status }) => status >= 500 || status === 429)).toEqual([])
    expect(answers.filter(({ status, read }) => read && status < 400)).toEqual([])
    if (answers.every(({ status }) => status >= 400))
      expect(await newest(), 'nothing was stored').toBe(before)

    // Signing in ends the session one comes with: whom that would sign out is left alone.
    const others = ignored.filter(({ role }) => who !== 'guest' || cookie !== undefined || role === 'guest')
    expect((await inTens(others, send)).filter(({ status }) => status >= 500 || status === 429)).toEqual([])

    const done = await query<{ action: string }>(
      `select distinct action from audit_entries e join users u on u.id = e.actor_id
         where e.id > $1 and u.role = 'resident' and not (e.action = 'user.updated' and e.entity_id = e.actor_id)`,
      [before],
    )
    expect(
      done.filter(({ action }) => neededFor(action)),
      'what is not a resident’s to do',
    ).toEqual([])
  })
})
