import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { newEmail } from '../support/email/incomingEmail.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { keys } from '../support/keys.js'
import { multipart, picture } from '../support/pictures.js'

/** Spec §5 with the Auth column of §4: every credential at every endpoint that is built. */
const house = useHouse()

const assetId = 1
let photo: string

beforeAll(async () => {
  const fields = { assetId: String(assetId), title: 'x', severity: 'low' }
  const made = await house.json('resident', '/api/incidents', {
    body: multipart(fields, [{ bytes: await picture() }]),
  })
  photo = made.photos[0].path
})

describe('each credential gets what the specification says', () => {
  it.each<Row>([
    ['P', 200, 'GET /api/status'],
    ['P', 200, 'GET /api/assets/:asset'],
    ['P', 200, 'GET /api/units'],
    ['P', 200, 'GET /api/towers'],
    ['W', 200, 'GET /api/contacts'],
    ['P', 200, 'GET /api/photos/:photo'],
    ['P', 200, 'GET /api/photos/:photo.thumb.jpg'],
    ['P', 200, 'GET /api/incidents'],
    ['W', 201, 'POST /api/incidents', reportFields],
    ['P', 200, 'GET /api/incidents/:open'],
    ['W', 201, 'POST /api/incidents/:open/updates', () => ({ body: 'x' })],
    ['S', 201, 'POST /api/incidents/:open/updates', () => ({ body: 'x', newStatus: 'acknowledged' })],
    ['W', 200, 'POST /api/incidents/:resolved/verify', () => ({ fixed: true })],
    ['S', 200, 'POST /api/incidents/:open/merge', async () => ({ targetId: await house.report() })],
    ['W', 200, 'POST /api/devices', () => ({ token: 'phone', platform: 'ios' })],
    ['S', 200, 'GET /api/admin/webhooks'],
    [
      'S',
      201,
      'POST /api/admin/webhooks',
      () => ({ url: 'https://example.com/', events: ['incident.created'] }),
    ],
    ['S', 200, 'PATCH /api/admin/webhooks/:webhook', () => ({ active: false })],
    ['S', 204, 'DELETE /api/admin/webhooks/:webhook'],
    ['E', 200, 'POST /api/inbound-email', newEmail],
    ['C', 200, 'POST /api/cron/sweep'],
    ['C', 200, 'POST /api/cron/digest'],
    ['P', 302, 'GET /r/:asset'],
    ['W', 200, 'POST /api/triage', () => ({ title: 'x', description: '' })],
    ['S', 200, 'PATCH /api/incidents/:open', () => ({ title: 'y' })],
    ['W', 200, 'POST /api/incidents/:open/follow'],
    ['W', 204, 'DELETE /api/incidents/:open/follow'],
  ])('%s, %d: %s', async (door, success, request, json) => {
    const [got, expected]: [Record<string, number>, Record<string, number>] = [{}, {}]
    for (const who of everybody) {
      const answer = await ask(who, request, await json?.())
      got[who] = answer.status
      expected[who] = expectedOf(door, success, who)
      if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      if (answer.status >= 400) {
        const code = answer.status === 401 ? 'unauthenticated' : 'forbidden'
        expect(await answer.json()).toMatchObject({ status: answer.status, code })
      } else await answer.arrayBuffer()
    }
    expect(got).toEqual(expected)
  })

  it('before anything of the request is looked at', async () => {
    for (const [path, door] of [
      ['/api/incidents/999999/merge', 'S'],
      ['/api/admin/webhooks/999999', 'S'],
      ['/api/incidents/999999/updates', 'W'],
    ] as const)
      for (const who of everybody) {
        const expected = expectedOf(door, 0, who)
        const method = path.includes('webhooks') ? 'PATCH' : 'POST'
        if (expected !== 0) expect((await ask(who, `${method} ${path}`, { events: 5 })).status).toBe(expected)
      }
  })

  it('of a refused status update nothing is stored, the comment neither', async () => {
    const id = await house.report()
    for (const who of ['resident', 'mobile'] as const)
      await house.ask(who, `/api/incidents/${id}/updates`, { json: { body: 'Mine', newStatus: 'resolved' } })
    expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({ status: 'open', updates: [] })
  })
})

describe('a credential', () => {
  it.each([
    ['another scheme', `Basic ${btoa('resident@example.com:caretaker-demo')}`],
    ['no scheme', keys.MOBILE_API_KEY],
    ['an empty value', 'Bearer '],
    ['the beginning of a key', `Bearer ${keys.MOBILE_API_KEY.slice(0, -1)}`],
    ['a key and more', `Bearer ${keys.MOBILE_API_KEY}x`],
    ['another case', `Bearer ${keys.MOBILE_API_KEY.toUpperCase()}`],
    ['two keys', `Bearer ${keys.MOBILE_API_KEY} ${keys.CRON_SECRET}`],
  ])('of %s is 401 where guests may read, too', async (_what, authorization) => {
    for (const path of ['/api/status', '/api/incidents', '/api/contacts'])
      expect((await house.ask('guest', path, { headers: { authorization } })).status).toBe(401)
  })

  it('in a cookie counts only as it was signed', async () => {
    const cookie = await house.signIn('manager@example.com')
    const contacts = (value: string) => house.ask({ cookie: value }, '/api/contacts')
    expect((await contacts(cookie)).status).toBe(200)
    const [session = ''] = cookie.split('; ')
    expect((await contacts(session)).status).toBe(200)
    for (const forged of [
      session.slice(0, -1),
      `${session}x`,
      session.replace('=', '=x'),
      session.split('.')[0]!,
    ])
      expect((await contacts(forged)).status).toBe(401)
  })

  it.each(['board', 'manager', 'admin', 'resident'] as const)('of %s acts with that role', async (who) => {
    const { user } = await house.json(who, '/api/auth/get-session')
    expect(user).toMatchObject({ email: `${who}@example.com`, role: who })
  })

  it('of the app acts as the Mobile Reporter, who is a user and not staff', async () => {
    const { user } = await house.json('mobile', '/api/auth/get-session')
    expect(user).toMatchObject({ name: 'Mobile Reporter', role: 'resident' })
    const made = await house.json('mobile', '/api/incidents', { json: reportFields() })
    expect(made).toMatchObject({ reporterName: 'Mobile Reporter', source: 'mobile' })
    const comment = await house.json('mobile', `/api/incidents/${made.id}/updates`, { json: { body: 'x' } })
    expect(comment.authorName).toBe('Mobile Reporter')
  })
})

describe('the audit log names', () => {
  const lastEntry = async (action: string) =>
    (
      await query<{ actorType: string; actorName: string; via: string }>(
        `select actor_type, actor_name, via from audit_entries
         where action = $1 order by id desc limit 1`,
        [action],
      )
    )[0]

  it('the person behind a session, and the app’s user behind its key', async () => {
    await house.json('resident', '/api/incidents', { json: reportFields() })
    expect(await lastEntry('incident.created')).toMatchObject({ actorType: 'user', via: 'web' })
    await house.json('mobile', '/api/incidents', { json: reportFields() })
    expect(await lastEntry('incident.created')).toEqual({
      actorType: 'user',
      actorName: 'Mobile Reporter',
      via: 'mobile',
    })
  })

  it.each([
    ['inbound', 'incident.created', 'email', '/api/inbound-email'],
    ['cron', 'incident.sla_breached', 'cron', '/api/cron/sweep'],
    ['cron', 'sweep.finished', 'cron', '/api/cron/sweep'],
    ['cron', 'digest.sent', 'cron', '/api/cron/digest'],
  ] as const)('the system behind %s: %s', async (who, action, via, path) => {
    await house.report({ createdAt: new Date(Date.now() - 200 * 3_600_000) })
    await house.json(who, path, who === 'inbound' ? { json: newEmail() } : { method: 'POST' })
    expect(await lastEntry(action)).toEqual({ actorType: 'system', actorName: 'System', via })
  })
})

const everybody: readonly (Who | 'stranger')[] = [
  'guest',
  'stranger',
  'resident',
  'board',
  'manager',
  'admin',
  'mobile',
  'cron',
  'inbound',
]

/** Who is allowed, and what the others get: a door of the specification's Auth column. */
const doors = {
  /** Session, bearer key or no auth; any other bearer value is none of ours (decision 1.3). */
  P: { allowed: ['guest', 'resident', 'board', 'manager', 'admin', 'mobile'], forbidden: [] },
  W: { allowed: ['resident', 'board', 'manager', 'admin', 'mobile'], forbidden: [] },
  S: { allowed: ['board', 'manager', 'admin'], forbidden: ['resident', 'mobile'] },
  C: { allowed: ['cron'], forbidden: [] },
  E: { allowed: ['inbound'], forbidden: [] },
} as const satisfies Record<string, { allowed: readonly Who[]; forbidden: readonly Who[] }>

/** `request`: a method and a path, in which a name stands for the id of such a thing (`idOf`). */
type Row = [door: keyof typeof doors, success: number, request: string, json?: () => unknown]

function reportFields() {
  return { assetId, title: 'Case', severity: 'low' }
}

/** Something new for each request. */
const idOf: Record<string, () => Promise<number | string> | number | string> = {
  asset: () => assetId,
  photo: () => photo,
  open: () => house.report(),
  resolved: () => house.report({ severity: 'low', status: 'resolved' }),
  webhook: () => house.subscription({ active: false }),
}

async function ask(who: Who | 'stranger', request: string, json?: unknown): Promise<Response> {
  const [method, path = ''] = request.split(' ')
  const [, name] = /:([a-z]+)/.exec(path) ?? []
  const address = name ? path.replace(`:${name}`, String(await idOf[name]!())) : path
  const asked = { method: method!, ...(json === undefined ? {} : { json }) }
  const stranger = { authorization: 'Bearer not-a-key-of-ours' }
  return who === 'stranger'
    ? house.ask('guest', address, { ...asked, headers: stranger })
    : house.ask(who, address, asked)
}

function expectedOf(door: keyof typeof doors, success: number, who: Who | 'stranger') {
  const { allowed, forbidden }: { allowed: readonly string[]; forbidden: readonly string[] } = doors[door]
  return allowed.includes(who) ? success : forbidden.includes(who) ? 403 : 401
}
