import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()

describe.each(Object.entries(kindsOfRecords()))(
  'a %s',
  (_kind, { list, entity, sent, shown, change, after }) => {
    it('is added, read, changed and deleted, each with an entry in the audit log', async () => {
      const answer = await house.ask('manager', list, { json: sent })
      expect(answer.status).toBe(201)
      const { id, ...made } = (await answer.json()) as { id: number }
      expect(made, 'a new field belongs in `sent` or `shown` of kindsOfRecords').toEqual({
        ...sent,
        ...shown,
      })
      const path = `${list}/${id}`
      expect(answer.headers.get('location')).toBe(path)
      // A secret is shown once.
      const secret = 'secret' in sent ? { secret: '••••enty' } : {}
      expect(await house.json('manager', path)).toEqual({ id, ...made, ...secret })
      const changed = await house.json('manager', path, { method: 'PATCH', json: change })
      expect(changed).toEqual({ id, ...made, ...secret, ...after })
      const gone = await house.ask('manager', path, { method: 'DELETE' })
      expect([gone.status, await gone.text()]).toEqual([204, ''])
      expect((await house.ask('manager', path)).status).toBe(404)
      const entries = await query<{ action: string }>(
        'select action from audit_entries where entity = $1 and entity_id = $2 order by id',
        [entity, id],
      )
      expect(entries.map(({ action }) => action)).toEqual(
        ['created', 'updated', 'deleted'].map((act) => `${entity}.${act}`),
      )
    })
  },
)

describe.each(deletions())('a deletion of $path', ({ path, table, sent, refer, referring }) => {
  const list = `/api/admin/${path}`
  /** To the millisecond: the audit log keeps no more of a time. */
  const rows = async (id: number): Promise<object[][]> => {
    const found = await Promise.all(
      [`${table} where id = $1`, ...(referring ?? [])].map((from) =>
        query(`select to_jsonb(r) as row from (select * from ${from}) r`, [id]),
      ),
    )
    const text = JSON.stringify(found)
    return JSON.parse(text.replaceAll(/\d{4}-\d\d-\d\dT[^"]+/g, (at) => new Date(at).toISOString()))
  }
  const add = async () => {
    const { id } = await house.json('manager', list, { json: sent })
    await refer?.(id)
    return id as number
  }
  const remove = (id: number) => house.ask('manager', `${list}/${id}`, { method: 'DELETE' })
  const undelete = (id: number) => house.ask('manager', `${list}/${id}/undelete`, { json: {} })

  it('is undone whole, once, with what referred to the record', async () => {
    const id = await add()
    const before = await rows(id)
    expect(before.every((each) => each.length > 0)).toBe(true)
    await remove(id)
    expect((await rows(id)).flat()).toEqual([])
    for (let press = 0; press < 2; press++) {
      const answer = await undelete(id)
      expect([answer.status, (await answer.json()).id]).toEqual([200, id])
      expect(await rows(id)).toEqual(before)
    }
    const entries = await query<{ action: string }>(
      'select action from audit_entries where entity_id = $1 and action like $2',
      [id, '%.undeleted'],
    )
    expect(entries.length).toBe(1)
    await remove(id)
  })

  it('is not undone after ten minutes', async () => {
    const id = await add()
    await remove(id)
    await query(
      `insert into audit_entries (at, actor_type, actor_id, actor_name, action, entity, entity_id, changes, via,
         affects_status)
       select at - interval '11 minutes', actor_type, actor_id, actor_name, action, entity, entity_id, changes,
         via, affects_status
       from audit_entries where entity_id = $1 and action like '%.deleted' order by id desc limit 1`,
      [id],
    )
    expect(await (await undelete(id)).json()).toMatchObject({ status: 409, code: 'undo_too_late' })
  })
})

it('keeps the deletion of a record whose name is in use again, and says so on the page', async () => {
  const tower = { name: 'Gatehouse' }
  const { id } = await house.json('manager', '/api/admin/towers', { json: tower })
  const press = (button: string, headers = {}) =>
    house.ask('manager', `/admin/towers/${id}/${button}`, {
      form: {},
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html', ...headers },
    })
  const address = (await press('delete')).headers.get('location')!
  const page = await house.page('manager', address)
  expect(page('.notice').text()).toContain('Gatehouse deleted.')
  expect(page('.notice form').attr('action')).toBe(`/admin/towers/${id}/undelete`)
  expect((await press('delete')).headers.get('location')).toBe('/admin/towers?notice=alreadyDeleted')
  const again = await house.json('manager', '/api/admin/towers', { json: tower })
  expect((await press('undelete')).status).toBe(409)
  // A browser says which page the button was on.
  const refused = await press('undelete', { referer: `${house.origin()}${address}` })
  const there = refused.headers.get('location')!
  expect(there).toMatch(/^\/admin\/towers\?was=.+&notice=refused-undelete_blocked$/)
  expect((await house.page('manager', there))('.notice').text()).toContain('This can’t be restored.')
  await house.ask('manager', `/api/admin/towers/${again.id}`, { method: 'DELETE' })
  expect((await press('undelete')).headers.get('location')).toBe(`/admin/towers/${id}?notice=undeleted`)
  expect((await press('undelete')).headers.get('location')).toBe(`/admin/towers/${id}?notice=alreadyBack`)
})

/**
 * `shown` is said of a record beside what was sent; `after` is what a change
 * comes to, as it is shown.
 */
type Kind = {
  list: string
  entity: string
  sent: object
  shown: object
  change: object
  after: object
}

/** What is sent of each kind of record, and what is shown of it. */
function kindsOfRecords(): Record<string, Kind> {
  const { startsAt, endsAt } = inspection()
  const subscription = { url: 'https://93.184.216.34/hook', events: ['incident.created'] }
  return {
    contact: {
      list: '/api/admin/contacts',
      entity: 'contact',
      sent: locksmith(),
      shown: {
        hoursWeekdays: '',
        hoursSaturday: '',
        hoursSunday: '',
        notes: '',
        sortOrder: 9,
        isEmergency: false,
        isPublic: false,
      },
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
      sent: sauna(),
      shown: {
        towerName: 'North Tower',
        sortOrder: expect.any(Number),
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
      sent: inspection(),
      shown: {
        assetName: 'South lift',
        until: null,
        exceptions: [],
        nextOccurrence: { startsAt, endsAt },
      },
      change: { endsAt: '2030-03-25T13:00:00+01:00' },
      after: {
        endsAt: '2030-03-25T12:00:00.000Z',
        nextOccurrence: { startsAt, endsAt: '2030-03-25T12:00:00.000Z' },
      },
    },
    'webhook subscription': {
      list: '/api/admin/webhooks',
      entity: 'webhook_subscription',
      sent: {
        ...subscription,
        events: ['incident.created', 'incident.created'],
        secret: 'a secret of twenty',
      },
      shown: { ...subscription, active: true, format: 'caretaker', lastStatus: null, lastFiredAt: null },
      change: { active: false, secret: '••••enty' },
      after: { active: false, secret: '••••enty' },
    },
  }
}

type Deletion = {
  path: string
  table: string
  sent: object
  /** Makes what refers to the record, and where that is in the database. */
  refer?: (id: number) => Promise<unknown>
  referring?: string[]
}

/** What a deletion can be undone of. */
function deletions(): Deletion[] {
  const { maya, office } = house
  return [
    {
      path: 'contacts',
      table: 'contacts',
      sent: locksmith(),
      refer: async (contactId) => {
        await office.json('/api/admin/assets/7', { method: 'PATCH', json: { contactId } })
        await house.report({ contactId })
      },
      referring: ['assets where contact_id = $1', 'incidents where contact_id = $1'],
    },
    { path: 'units', table: 'units', sent: { towerId: 2, number: '13B', floor: 1 } },
    {
      path: 'assets',
      table: 'assets',
      sent: { ...sauna(), name: 'Steam room' },
      refer: (assetId) => maya.json('/api/follows', { json: { assetId } }),
      referring: ['email_follows where asset_id = $1'],
    },
    {
      path: 'towers',
      table: 'towers',
      sent: { name: 'Annexe', sortOrder: 9 },
      refer: (towerId) => maya.json('/api/follows', { json: { towerId } }),
      referring: ['email_follows where tower_id = $1'],
    },
    {
      path: 'templates',
      table: 'reply_templates',
      sent: { name: 'Undone', wordsEn: 'On our way', status: 'acknowledged' },
    },
    {
      path: 'maintenance',
      table: 'maintenance_windows',
      sent: { ...inspection(), recurrence: 'weekly', until: '2031-01-01' },
      refer: (id) => office.ask(`/api/admin/maintenance/${id}/skip`, { json: { date: '2030-04-01' } }),
      referring: ['maintenance_exceptions where window_id = $1'],
    },
  ]
}

/** A contact, as the office sends it. */
function locksmith() {
  return { name: 'Locksmith', label: 'Keys', phone: '020 7946 0199', email: 'keys@example.com' }
}

/** An asset, as the office sends it. */
function sauna() {
  return {
    towerId: 1,
    name: 'Sauna',
    category: 'Leisure',
    code: 'N-S1',
    description: 'On the roof',
  }
}

/** Planned work, as the office sends it. */
function inspection() {
  return {
    assetId: 7,
    title: 'Yearly inspection',
    startsAt: '2030-03-25T09:00:00.000Z',
    endsAt: '2030-03-25T11:00:00.000Z',
    recurrence: 'none',
    notes: 'All day',
  }
}
