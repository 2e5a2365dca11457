import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/database.js'
import { actionsKnown } from '../../src/domain/acts.js'
import { mintToken } from '../../src/models/accountToken.js'
import { routes } from '../../src/routes/index.js'
import { texts } from '../../src/text/index.js'
import { unsubscribeToken } from '../../src/web/unsubscribeToken.js'
import { cookieOf, useApp, type Who } from '../support/app.js'
import { leaveMail } from '../support/messages.js'
import { codeNow, secondFactorFor, startedFor } from '../support/secondFactor.js'

const app = useApp()
const writes = routes().stack.flatMap(({ methods, path }) =>
  methods.length > 0 && !methods.includes('GET') ? [`${methods[0]} ${path}`] : [],
)

/** One use of a write route that is meant to succeed. `:id` and the like in its address are replaced by `ids`. */
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
const asset = () => ({ towerId: 1, name: fresh('Lamp'), category: 'Light' })
const unit = () => ({ towerId: 1, number: fresh('9'), floor: 9 })
const maintenanceWindow = () => ({
  assetId: 1,
  title: fresh('Service'),
  startsAt: '2030-01-01T08:00:00Z',
  endsAt: '2030-01-01T09:00:00Z',
  recurrence: 'none',
})
const contact = () => ({ name: fresh('Plumber') })
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
    cookie: await app.signIn(email, password),
  }
}

async function memberWithSecondFactor() {
  const one = await member()
  return { ...one, ...(await secondFactorFor(app, one.cookie)) }
}

/** The same in two browsers; `ids` is the other one's session. */
async function memberTwice() {
  const { email, ...one } = await member()
  await app.signIn(email, password)
  const { sessions } = await (
    await app.ask('guest', '/api/account', { headers: { cookie: one.cookie } })
  ).json()
  return { ...one, ids: [sessions.find(({ current }: { current: boolean }) => !current).id] }
}

async function passwordLink(purpose: 'invite' | 'reset', act: string): Promise<Use> {
  const { token } = await mintToken(await made('users', person()), purpose)
  return { who: 'guest', ids: [token], json: { password: 'another quiet evening' }, acts: [act] }
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
  'POST /admin/assign': async () => ({
    json: { ids: [await incident()], assetId: 3 },
    acts: ['incident.edited'],
  }),
  ...resource('towers', 'tower', tower, { sortOrder: 7 }),
  ...resource('contacts', 'contact', contact, { notes: 'x' }),
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
  'PATCH /admin/flags/:name': () => flagChange(),
  'POST /admin/flags/:name': () => flagChange(),
  'PATCH /account': async () => ({ ...(await member()), json: { name: 'Renamed' }, acts: ['user.updated'] }),
  'POST /account': async () => ({
    ...(await member()),
    json: { name: 'Renamed', locale: 'en' },
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
    return { who: 'guest', cookie: cookieOf(begun), json, acts: ['user.code_accepted'] }
  },
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

const newest = async () =>
  (await query<{ id: number }>('select coalesce(max(id), 0) as id from audit_entries'))[0]!.id

describe('every write', () => {
  beforeAll(async () => {
    await query('update webhook_subscriptions set active = false')
  })

  it('has an example here', () => {
    expect(writes.filter((route) => !examples[keyOf(route)])).toEqual([])
    expect(Object.keys(examples).filter((key) => !writes.some((route) => keyOf(route) === key))).toEqual([])
  })

  it.each(writes.filter((route) => examples[keyOf(route)]))(
    '%s is in the audit log, by who did it',
    async (route) => {
      const { who = 'admin', cookie, ids, json, acts } = await examples[keyOf(route)]!()
      const before = await newest()
      const answer = await app.ask(who, addressOf(route, ids), {
        method: route.split(' ')[0]!,
        headers: { 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) },
        ...(json ? (route.includes(' /api/') ? { json } : { body: asForm(json) }) : {}),
      })
      expect(answer.status, await answer.clone().text()).toBeLessThan(400)
      const entries = (await app.json('admin', '/api/audit?limit=20'))
        .filter(
          ({ id, action }: { id: number; action: string }) =>
            id > before && action !== 'asset.status_changed',
        )
        .map(({ action, actorType }: { action: string; actorType: string }) => ({ action, actorType }))
      const bySystem = who === 'cron' || who === 'inbound' || route.endsWith('/forgot-password')
      const actorType = bySystem ? 'system' : 'user'
      expect(
        entries.filter(({ action }: { action: string }) => acts.includes(action)).length,
      ).toBeGreaterThanOrEqual(Math.min(1, acts.length))
      if (acts.length === 0) expect(entries).toEqual([])
      for (const entry of entries) if (acts.includes(entry.action)) expect(entry.actorType).toBe(actorType)
    },
  )

  it('is known by name, to the filter and in words', async () => {
    const rows = await query<{ action: string }>('select distinct action from audit_entries')
    expect(
      rows
        .map(({ action }) => action)
        .filter((action) => !(actionsKnown as readonly string[]).includes(action)),
    ).toEqual([])
    expect(Object.keys(texts.en.audit.acts).sort()).toEqual([...actionsKnown].sort())
  })
})
