import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useApp } from '../../support/app.js'

const app = useApp()
const contact = { name: 'Locksmith', label: 'Keys', phone: '020 7946 0199', email: 'keys@example.com' }
const sauna = { towerId: 1, name: 'Sauna', category: 'Leisure', code: 'N-S1', description: 'On the roof' }
const times = { startsAt: '2030-03-25T09:00:00.000Z', endsAt: '2030-03-25T11:00:00.000Z' }
const inspection = { assetId: 7, title: 'Yearly inspection', ...times, recurrence: 'none', notes: 'All day' }
const subscription = { url: 'https://93.184.216.34/hook', events: ['incident.created'] }

/** `shown` is said of a record beside what was sent; `after` is what a change comes to, as it is shown. */
type Kind = {
  list: string
  entity: string
  sent: object
  shown: object
  change: object
  after: object
}

const kinds: Record<string, Kind> = {
  contact: {
    list: '/api/admin/contacts',
    entity: 'contact',
    sent: contact,
    shown: { notes: '', sortOrder: 0, isEmergency: false },
    change: { notes: 'Rings back', nonsense: 1 },
    after: { notes: 'Rings back' },
  },
  unit: {
    list: '/api/admin/units',
    entity: 'unit',
    sent: { towerId: 2, number: ' 12A ', floor: -1 },
    shown: { number: '12A', towerName: 'South Tower', people: 0, archivedAt: null },
    change: { floor: 0 },
    after: { floor: 0 },
  },
  asset: {
    list: '/api/admin/assets',
    entity: 'asset',
    sent: sauna,
    shown: {
      towerName: 'North Tower',
      sortOrder: 0,
      contactId: null,
      contactName: null,
      archivedAt: null,
    },
    change: { towerId: 2, code: null },
    after: { towerId: 2, towerName: 'South Tower', code: null },
  },
  'maintenance window': {
    list: '/api/admin/maintenance',
    entity: 'maintenance_window',
    sent: inspection,
    shown: { assetName: 'South lift', until: null, exceptions: [], nextOccurrence: times },
    change: { endsAt: '2030-03-25T13:00:00+01:00' },
    after: {
      endsAt: '2030-03-25T12:00:00.000Z',
      nextOccurrence: { ...times, endsAt: '2030-03-25T12:00:00.000Z' },
    },
  },
  'webhook subscription': {
    list: '/api/admin/webhooks',
    entity: 'webhook_subscription',
    sent: { ...subscription, events: ['incident.created', 'incident.created'], secret: 'a secret of twenty' },
    shown: { ...subscription, active: true, format: 'caretaker', lastStatus: null, lastFiredAt: null },
    change: { active: false, secret: '••••enty' },
    after: { active: false, secret: '••••enty' },
  },
}

describe.each(Object.entries(kinds))('a %s', (_kind, { list, entity, sent, shown, change, after }) => {
  it('is added, read, changed and deleted, each with an entry in the audit log', async () => {
    const answer = await app.ask('manager', list, { json: sent })
    expect(answer.status).toBe(201)
    const { id, ...made } = (await answer.json()) as { id: number }
    expect(made).toEqual({ ...sent, ...shown })
    const path = `${list}/${id}`
    expect(answer.headers.get('location')).toBe(path)
    // A secret is shown once.
    const secret = 'secret' in sent ? { secret: '••••enty' } : {}
    expect(await app.json('manager', path)).toEqual({ id, ...made, ...secret })
    const changed = await app.json('manager', path, { method: 'PATCH', json: change })
    expect(changed).toEqual({ id, ...made, ...secret, ...after })
    const gone = await app.ask('manager', path, { method: 'DELETE' })
    expect([gone.status, await gone.text()]).toEqual([204, ''])
    expect((await app.ask('manager', path)).status).toBe(404)
    const entries = await query<{ action: string }>(
      'select action from audit_entries where entity = $1 and entity_id = $2 order by id',
      [entity, id],
    )
    expect(entries.map(({ action }) => action)).toEqual(
      ['created', 'updated', 'deleted'].map((act) => `${entity}.${act}`),
    )
  })
})
