import { beforeAll, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { multipart, picture } from '../support/pictures.js'
import { scalar } from '../support/rows.js'
import { queryAfterFanOut } from '../support/sending.js'

vi.hoisted(() => {
  process.env.WEBHOOK_ALLOWED_NETWORKS = '127.0.0.0/8'
})

/**
 * Spec §4, row by row: what each endpoint answers, its filters, its rules; and the fields of §2.
 * Rule 5, of emails: test/inbound/inboundEmail.
 */
const house = useHouse()
const { office } = house

const incident = [
  'id',
  'title',
  'description',
  'severity',
  'status',
  'isDowntime',
  'assetId',
  'assetName',
  'unitId',
  'unitName',
  'reporterName',
  'slaBreached',
  'source',
  'createdAt',
  'resolvedAt',
]
/**
 * What an answer has besides the specification's fields: additions, for those who look
 * for them (decision 4.13).
 */
const expectation = ['expectedBackAt', 'statusReason']
const detail = [
  ...incident,
  'updates',
  'photos',
  'affectedCount',
  ...expectation,
  'acknowledgedAt',
  'duplicates',
  'closingReason',
  'isAssigned',
]
const update = ['id', 'authorName', 'body', 'newStatus', 'createdAt']
const asset = ['id', 'name', 'category', 'towerName', 'status', 'uptime30', 'uptime90', 'days']
const assetFields = [...asset, 'maintenanceUpcoming', ...expectation]
/** With the form of its bodies, which is an addition (decision 4.8). */
const webhook = ['id', 'url', 'secret', 'events', 'active', 'format', 'lastStatus', 'lastFiredAt']

const assetId = 1
let unitId: number
let id: number
let photo: string

beforeAll(async () => {
  // Written before anything is read: nobody would notice a window that came
  // without a change of ours.
  for (const recurrence of ['none', 'weekly', 'monthly'])
    await query(
      `insert into maintenance_windows (asset_id, title, starts_at, ends_at, recurrence)
       select max(id), $1, now() + interval '1 day', now() + interval '25 hours', $1 from assets`,
      [recurrence],
    )
  unitId = (await house.json('guest', '/api/units'))[0].id
  const made = await house.json('resident', '/api/incidents', {
    body: multipart({ assetId: String(assetId), title: 'x', severity: 'high' }, [{ bytes: await picture() }]),
  })
  id = made.id
  photo = made.photos[0].path
  await house.json('resident', `/api/incidents/${id}/updates`, { json: { body: 'x' } })
  await office.starts(id)
})

/** Sorted, because the specification names fields, not their order. */
const keysOf = (value: unknown) => Object.keys(value as object).sort()
const one = <T>(list: T[]): T => {
  expect(list.length).toBeGreaterThan(0)
  return list[0]!
}

type Shape = [who: Who, request: string, status: number, fields: string[], json?: object]

const assetOfStaff = [
  'cost365Cents',
  'downtimeHours365',
  'contact',
  'costByMonth',
  'faultsByMonth',
  'repeatFaults',
]
const statusUpdate = [...update, 'authorRole', 'closingReason', 'onStatusPage']
const email = { from: 'a@b.example', subject: 'x', text: 'y', attachments: [] }
const signIn = { email: 'board@example.com', password: 'caretaker-demo' }
// biome-ignore format: a table is read by columns
const shapes: Shape[] = [
  ['guest', 'GET /api/status', 200, ['property', 'summary', 'assets']],
  ['guest', 'GET /api/assets/:asset', 200, [...assetFields, 'description', 'incidents']],
  ['board', 'GET /api/assets/:asset', 200, [...assetFields, 'description', 'incidents', ...assetOfStaff]],
  ['guest', 'GET /api/incidents/:incident', 200, detail],
  ['mobile', 'POST /api/incidents', 201, detail, { unitId: 1, title: 'x', severity: 'low' }],
  ['mobile', 'POST /api/incidents/:incident/updates', 201, update, { body: 'x' }],
  ['manager', 'POST /api/incidents/:incident/updates', 201, statusUpdate, { body: 'x', newStatus: 'resolved' }],
  ['mobile', 'POST /api/incidents/:incident/verify', 200, [...detail, 'reopened'], { fixed: false }],
  ['resident', 'POST /api/devices', 200, ['token', 'platform', 'updatedAt'], { token: 'phone', platform: 'android' }],
  ['inbound', 'POST /api/inbound-email', 200, ['action', 'incidentId'], email],
  ['cron', 'POST /api/cron/sweep', 200, ['checked', 'escalated'], {}],
  ['cron', 'POST /api/cron/digest', 200, ['recipients', 'delivered', 'outbox'], {}],
  // Without a key of the service.
  ['mobile', 'POST /api/triage', 200, ['enabled'], { title: 'x', description: 'y' }],
  ['guest', 'POST /api/auth/sign-in/email', 200, ['user'], signIn],
]

describe('an endpoint answers exactly the fields of the specification', () => {
  it.each(shapes)('%s: %s is %d', async (who, request, status, fields, json) => {
    const path = request.split(' ')[1]!.replace(':asset', String(assetId)).replace(':incident', String(id))
    const answer = await house.ask(who, path, json === undefined ? {} : { json })
    const type = answer.headers.get('content-type')
    expect([answer.status, type]).toEqual([status, 'application/json; charset=utf-8'])
    expect(keysOf(await answer.json())).toEqual([...fields].sort())
  })

  it.each<[string, Who, string, string[]]>([
    ['incidents', 'guest', '/api/incidents', incident],
    ['towers', 'guest', '/api/towers', ['id', 'name']],
    ['units', 'guest', '/api/units', ['id', 'towerId', 'number', 'floor']],
    ['contacts', 'mobile', '/api/contacts', ['id', 'name', 'label', 'phone', 'email', 'notes', 'sortOrder']],
  ])('the list of %s, asked as %s', async (_what, who, path, fields) => {
    expect(keysOf(one(await house.json(who, path)))).toEqual([...fields].sort())
  })

  it('the parts of the status view, of an asset and of an incident', async () => {
    const status = await house.json('guest', '/api/status')
    expect(keysOf(status.property)).toEqual(['address', 'id', 'name', 'timezone'])
    expect(keysOf(status.summary)).toEqual(['degraded', 'down', 'maintenance', 'operational', 'total'])
    expect(keysOf(one(status.assets))).toEqual([...assetFields].sort())
    const shown = await house.json('guest', `/api/assets/${assetId}`)
    expect(keysOf(one(shown.incidents))).toEqual(
      ['id', 'title', 'severity', 'status', 'isDowntime', 'reporterName', 'slaBreached', 'source']
        .concat('createdAt', 'resolvedAt')
        .sort(),
    )
    const { updates, photos } = await house.json('guest', `/api/incidents/${id}`)
    expect(keysOf(one(updates))).toEqual([...update].sort())
    expect(keysOf(one(photos))).toEqual(['createdAt', 'id', 'path'])
  })

  it('a photo and its thumbnail are pictures', async () => {
    for (const path of [photo, `${photo}.thumb.jpg`]) {
      const answer = await house.ask('guest', `/api/photos/${path}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 3)
          .toString('hex'),
      ).toBe('ffd8ff')
    }
  })

  it('a sticker leads to the report form with its asset', async () => {
    const answer = await house.ask('guest', `/r/${assetId}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/report?assetId=${assetId}`])
  })
})

describe('the list of incidents', () => {
  type Listed = Record<string, unknown> & { id: number }
  let all: Listed[]
  beforeAll(async () => {
    const [duplicate, target] = await Promise.all(
      [1, 2].map(() =>
        house.json('resident', '/api/incidents', { json: { unitId, title: 'Same', severity: 'critical' } }),
      ),
    )
    await office.merges(duplicate.id, target.id)
    all = await house.json('guest', '/api/incidents?limit=500')
  })

  it.each([
    ['status', (): unknown => 'verified'],
    ['status', (): unknown => 'open'],
    ['severity', (): unknown => 'critical'],
    ['severity', (): unknown => 'low'],
    ['assetId', (): unknown => assetId],
    ['unitId', (): unknown => unitId],
  ] as const)('is filtered by %s', async (name, given) => {
    const value = given()
    const matching = all.filter((row) => row[name] === value)
    expect(matching.length).toBeGreaterThan(0)
    expect(matching.length).toBeLessThan(all.length)
    expect(await house.json('guest', `/api/incidents?limit=500&${name}=${value}`)).toEqual(matching)
  })

  it('is filtered by all of them together', async () => {
    const [first] = all.filter((row) => row.unitId === unitId)
    const filters = `status=${first!.status}&severity=${first!.severity}&unitId=${unitId}&includeMerged=false`
    const matching = all.filter(
      (row) => row.unitId === unitId && row.status === first!.status && row.severity === first!.severity,
    )
    expect(await house.json('guest', `/api/incidents?limit=500&${filters}`)).toEqual(matching)
  })

  it('hides merged duplicates unless they are asked for', async () => {
    const withMerged: Listed[] = await house.json('guest', '/api/incidents?limit=500&includeMerged=true')
    const hidden = withMerged.filter(({ id }) => !all.some((row) => row.id === id)).map((row) => row.id)
    const merged = await query<{ id: number }>(
      'select id from incidents where merged_into_id is not null order by id desc',
    )
    expect(hidden).toEqual(merged.map((row) => row.id))
    expect(hidden.length).toBeGreaterThan(0)
    expect(await house.json('guest', '/api/incidents?limit=500&includeMerged=false')).toEqual(all)
  })
})

describe('a webhook subscription', () => {
  const url = 'http://127.0.0.1:65000/hook'
  const made = (json: object) => house.json('manager', '/api/admin/webhooks', { json })

  it('is made, listed, changed and deleted by staff', async () => {
    const answer = await house.ask('board', '/api/admin/webhooks', {
      json: { url, secret: 'signing key', events: ['incident.merged'], active: false },
    })
    expect(answer.status).toBe(201)
    const own = await answer.json()
    expect(keysOf(own)).toEqual([...webhook].sort())
    expect(own).toMatchObject({ url, secret: 'signing key', events: ['incident.merged'], active: false })
    expect(own).toMatchObject({ lastStatus: null, lastFiredAt: null })
    const path = `/api/admin/webhooks/${own.id}`
    const [listed] = await house.json('manager', '/api/admin/webhooks')
    expect(listed).toEqual({ ...own, secret: listed.secret })
    expect(listed.secret).not.toContain('signing')
    const changed = await house.json('admin', path, { method: 'PATCH', json: { active: true } })
    expect(changed).toEqual({ ...listed, active: true })
    const events = ['incident.created', 'asset.status_changed']
    const both = await house.json('admin', path, { method: 'PATCH', json: { events, secret: listed.secret } })
    expect(both).toEqual({ ...changed, events })
    expect(await scalar('select secret from webhook_subscriptions where id = $1', [own.id])).toBe(
      'signing key',
    )
    const deleted = await house.ask('manager', path, { method: 'DELETE' })
    expect([deleted.status, await deleted.text()]).toEqual([204, ''])
    expect((await house.ask('manager', path)).status).toBe(404)
    expect((await house.ask('manager', path, { method: 'DELETE' })).status).toBe(404)
  })

  it('without a secret gets one, which is shown once', async () => {
    const own = await made({ url, events: [] })
    expect(own.secret.length).toBeGreaterThan(30)
    const shown = await house.json('manager', `/api/admin/webhooks/${own.id}`)
    expect(shown.secret).not.toBe(own.secret)
  })

  it.each([
    ['no url', { events: [] }, 'url'],
    ['a url of another kind', { url: 'ftp://example.com/', events: [] }, 'url'],
    ['an address inside', { url: 'http://10.0.0.1/', events: [] }, 'url'],
    ['no events', { url }, 'events'],
    ['an unknown event', { url, events: ['incident.deleted'] }, 'events'],
    ['an empty secret', { url, events: [], secret: '' }, 'secret'],
    ['a secret as it is shown', { url, events: [], secret: '••••abcd' }, 'secret'],
    ['neither active nor not', { url, events: [], active: 'yes' }, 'active'],
  ])('with %s is refused', async (_what, json, field) => {
    const answer = await house.ask('manager', '/api/admin/webhooks', { json })
    expect(answer.status).toBe(422)
    expect(Object.keys((await answer.json()).errors)).toEqual([field])
  })

  it('leaves an audit entry for each change, and its key in none', async () => {
    const own = await made({ url, secret: 'never in the log', events: [] })
    await house.json('manager', `/api/admin/webhooks/${own.id}`, { method: 'PATCH', json: { active: false } })
    await house.ask('manager', `/api/admin/webhooks/${own.id}`, { method: 'DELETE' })
    const entries = await query<{ action: string; changes: unknown }>(
      `select action, changes from audit_entries where entity = 'webhook_subscription' and entity_id = $1 order by id`,
      [own.id],
    )
    expect(entries.map(({ action }) => action.split('.')[1])).toEqual(['created', 'updated', 'deleted'])
    expect(JSON.stringify(entries)).not.toContain('never in the log')
  })
})

describe('the rules', () => {
  it('without PUSH_ENABLED a registered phone is told nothing (rule 4)', async () => {
    await house.json('resident', '/api/devices', { json: { token: 'silent', platform: 'ios' } })
    const own = await house.json('resident', '/api/incidents', {
      json: { assetId, title: 'x', severity: 'low' },
    })
    await house.json('manager', `/api/incidents/${own.id}/updates`, {
      json: { body: 'x', newStatus: 'acknowledged' },
    })
    const kinds = await queryAfterFanOut<{ kind: string }>(
      'select distinct kind from outbox where incident_id = $1',
      [own.id],
    )
    expect(kinds.map(({ kind }) => kind)).toEqual(['mail'])
  })

  it('windows repeat never, weekly or monthly (rule 8)', async () => {
    const { assets } = await house.json('guest', '/api/status')
    const last = assets.reduce((a: { id: number }, b: { id: number }) => (a.id > b.id ? a : b))
    const times = (title: string) =>
      last.maintenanceUpcoming.filter((each: { title: string }) => each.title === title).length
    expect([times('none'), times('weekly')]).toEqual([1, 5])
    expect([1, 2]).toContain(times('monthly'))
    for (const each of last.maintenanceUpcoming) expect(keysOf(each)).toEqual(['endsAt', 'startsAt', 'title'])
  })
})
