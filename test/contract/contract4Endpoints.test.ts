import { beforeAll, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { multipart, picture } from '../support/pictures.js'
import { scalar } from '../support/rows.js'
import { queryAfterFanOut } from '../support/sending.js'
import * as fields from './fields.js'

vi.hoisted(() => {
  process.env.WEBHOOK_ALLOWED_NETWORKS = '127.0.0.0/8'
})

/**
 * Spec §4, row by row: what each endpoint answers, its filters, its rules; and the fields of §2.
 * Rule 5, of emails: test/inbound/inboundEmail.
 */
const house = useHouse()
const { maya, office } = house

const assetId = 1
let unitId: number
let id: number
let photo: string

beforeAll(prepare)

describe('an endpoint answers exactly the fields of the specification', () => {
  it.each<Shape>([
    ['guest', 'GET /api/status', 200, ['property', 'summary', 'assets']],
    // Its contact is public.
    [
      'guest',
      'GET /api/assets/:asset',
      200,
      [...fields.assetInStatus, 'description', 'incidents', 'contact'],
    ],
    [
      'board',
      'GET /api/assets/:asset',
      200,
      [...fields.assetInStatus, 'description', 'incidents', ...fields.assetForStaff],
    ],
    ['guest', 'GET /api/incidents/:incident', 200, fields.incidentDetail],
    ['mobile', 'POST /api/incidents', 201, fields.incidentDetail, { unitId: 1, title: 'x', severity: 'low' }],
    ['mobile', 'POST /api/incidents/:incident/updates', 201, fields.incidentUpdate, { body: 'x' }],
    [
      'manager',
      'POST /api/incidents/:incident/updates',
      201,
      fields.updateForStaff,
      { body: 'x', newStatus: 'resolved' },
    ],
    [
      'mobile',
      'POST /api/incidents/:incident/verify',
      200,
      [...fields.incidentDetail, 'reopened'],
      { fixed: false },
    ],
    [
      'resident',
      'POST /api/devices',
      200,
      ['token', 'platform', 'updatedAt'],
      { token: 'phone', platform: 'android' },
    ],
    [
      'inbound',
      'POST /api/inbound-email',
      200,
      ['action', 'incidentId'],
      { from: 'a@b.example', subject: 'x', text: 'y', attachments: [] },
    ],
    ['cron', 'POST /api/cron/sweep', 200, ['checked', 'escalated'], {}],
    ['cron', 'POST /api/cron/digest', 200, ['recipients', 'delivered', 'outbox'], {}],
    // Without a key of the service.
    ['mobile', 'POST /api/triage', 200, ['enabled'], { title: 'x', description: 'y' }],
    [
      'guest',
      'POST /api/auth/sign-in/email',
      200,
      ['user'],
      { email: 'board@example.com', password: 'caretaker-demo' },
    ],
  ])('%s: %s is %d', async (who, request, status, names, json) => {
    const path = request.split(' ')[1]!.replace(':asset', String(assetId)).replace(':incident', String(id))
    const answer = await house.ask(who, path, json === undefined ? {} : { json })
    const type = answer.headers.get('content-type')
    expect([answer.status, type]).toEqual([status, 'application/json; charset=utf-8'])
    expect(keysOf(await answer.json())).toEqual([...names].sort())
  })

  it.each<[string, Who, string, string[]]>([
    ['incidents', 'guest', '/api/incidents', fields.listedIncident],
    ['towers', 'guest', '/api/towers', ['id', 'name']],
    ['units', 'guest', '/api/units', ['id', 'towerId', 'number', 'floor']],
    ['contacts', 'mobile', '/api/contacts', fields.contact],
  ])('the list of %s, asked as %s', async (_what, who, path, names) => {
    expect(keysOf(one(await house.json(who, path)))).toEqual([...names].sort())
  })

  it('the parts of the status view, of an asset and of an incident', async () => {
    const status = await house.json('guest', '/api/status')
    expect(keysOf(status.property)).toEqual(['address', 'id', 'name', 'timezone'])
    expect(keysOf(status.summary)).toEqual(['degraded', 'down', 'maintenance', 'operational', 'total'])
    expect(keysOf(one(status.assets))).toEqual([...fields.assetInStatus].sort())
    const shown = await house.json('guest', `/api/assets/${assetId}`)
    expect(keysOf(one(shown.incidents))).toEqual(
      ['id', 'title', 'severity', 'status', 'isDowntime', 'reporterName', 'slaBreached', 'source']
        .concat('createdAt', 'resolvedAt')
        .sort(),
    )
    const { updates, photos } = await house.json('guest', `/api/incidents/${id}`)
    expect(keysOf(one(updates))).toEqual([...fields.incidentUpdate].sort())
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
    const [duplicate, target] = [
      await maya.reports({ unitId }, { severity: 'critical' }),
      await maya.reports({ unitId }, { severity: 'critical' }),
    ]
    await office.merges(duplicate, target)
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
    expect(keysOf(own)).toEqual([...fields.webhookSubscription].sort())
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
    const own = await maya.reports(assetId, { notified: true })
    await office.acknowledges(own, 'Seen', { notified: true })
    const kinds = await queryAfterFanOut<{ kind: string }>(
      'select distinct kind from outbox where incident_id = $1',
      [own],
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

/** Sorted, because the specification names fields, not their order. */
function keysOf(value: unknown) {
  return Object.keys(value as object).sort()
}

function one<T>(list: T[]): T {
  expect(list.length).toBeGreaterThan(0)
  return list[0]!
}

type Shape = [who: Who, request: string, status: number, fields: string[], json?: object]

const hour = 3_600_000

async function prepare(): Promise<void> {
  unitId = (await house.json('guest', '/api/units'))[0].id
  await planWork()
  const report = await reportWithPhoto()
  id = report.id
  photo = report.photo
}

/** Work on the newest asset, for a day: once, weekly and monthly. */
async function planWork(): Promise<void> {
  const assetId = await scalar<number>('select max(id) from assets')
  const startsAt = new Date(Date.now() + 24 * hour)
  const endsAt = new Date(Date.now() + 25 * hour)
  for (const recurrence of ['none', 'weekly', 'monthly'] as const)
    await house.window({ assetId, title: recurrence, startsAt, endsAt, recurrence })
}

/** A report with a photo, a comment and an update. */
async function reportWithPhoto(): Promise<{ id: number; photo: string }> {
  const report = { assetId: String(assetId), title: 'x', severity: 'high' }
  const body = multipart(report, [{ bytes: await picture() }])
  const { id, photos } = await house.json('resident', '/api/incidents', { body })
  await maya.comments(id)
  await office.starts(id)
  return { id, photo: photos[0].path }
}
