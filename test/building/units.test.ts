import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const list = '/api/admin/units'
describe('a unit', () => {
  it('is refused at the field that is wrong', async () => {
    for (const [wrong, field, text] of [
      [{ towerId: 999 }, 'towerId', 'Select one of the towers'],
      [{ number: '' }, 'number', 'Enter the flat number'],
      [{ number: '602' }, 'number', 'This tower already has a flat with this number, possibly archived'],
      [{ floor: undefined }, 'floor', 'Enter the floor (0 for the ground floor)'],
      [{ floor: 301 }, 'floor', 'Enter a whole number from -20 to 300'],
    ] as const) {
      const json = { towerId: 1, number: '999', floor: 9, ...wrong }
      const answer = await house.ask('manager', list, { json })
      expect([answer.status, (await answer.json()).errors]).toEqual([422, { [field]: [text] }])
    }
  })

  it('where people live or lived something is not deleted, but archived: they keep their accounts', async () => {
    const [home] = await query<{ id: number; people: number }>(
      'select unit_id as id, count(*) as people from users where unit_id is not null group by unit_id limit 1',
    )
    const path = `/admin/units/${home!.id}`
    const refused = await house.ask('manager', `/api${path}`, { method: 'DELETE' })
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'in_use'])
    const page = await house.page('manager', `${path}/delete`)
    expect(page('.points').text()).toContain(home!.people === 1 ? '1 person' : `${home!.people} people`)
    expect(page('main form').attr('action')).toBe(`${path}/archive`)
    const archived = await house.json('manager', `/api${path}/archive`, { method: 'POST', json: {} })
    expect(archived.people).toBe(home!.people)
    const listed = (await house.json('guest', '/api/units')) as { id: number }[]
    expect(listed.some(({ id }) => id === home!.id)).toBe(false)
    const report = await house.ask('resident', '/api/incidents', {
      json: { unitId: home!.id, title: 'Drip', severity: 'low' },
    })
    expect(report.status).toBe(422)
    const back = await house.json('manager', `/api${path}/unarchive`, { method: 'POST', json: {} })
    expect(back.archivedAt).toBeNull()
    const entries = await query<{ action: string }>(
      `select action from audit_entries where entity = 'unit' and entity_id = $1 order by id desc limit 2`,
      [home!.id],
    )
    expect(entries.map(({ action }) => action)).toEqual(['unit.unarchived', 'unit.archived'])
  })
})

it('the list of units orders numbers as numbers and narrows by tower and state', async () => {
  const a = await addUnit({ number: '9001', floor: 90 })
  const b = await addUnit({ number: '901', floor: 90 })
  const c = await addUnit({ number: '901A', floor: 90, towerId: 2 })
  const ids = async (asked: string) =>
    (await house.json('manager', `${list}?q=90&${asked}`))
      .filter(({ floor }: { floor: number }) => floor === 90)
      .map(({ id }: { id: number }) => id)
  expect(await ids('')).toEqual([c.id, b.id, a.id])
  expect(await ids('sort=number&towerId=1')).toEqual([b.id, a.id])
  expect(await ids('sort=-number&towerId=1')).toEqual([a.id, b.id])
  await house.json('manager', `${list}/${b.id}/archive`, { method: 'POST', json: {} })
  expect(await ids('archived=true')).toEqual([b.id])
  expect(await ids('towerId=1')).toEqual([a.id])
  const first = await house.ask('manager', `${list}?sort=floor&limit=3`)
  expect(first.headers.get('link')).toContain('rel="next"')
})

it('the form of a unit adds one below the ground, and refuses at the field what is no floor', async () => {
  const added = await house.submit('manager', '/admin/units', { towerId: '1', number: 'B1', floor: '-1' })
  expect(added.status).toBe(303)
  const page = await house.page('manager', added.headers.get('location')!)
  expect(page('h1').text()).toBe('North Tower · B1')
  const refused = await house.submit('manager', '/admin/units', {
    towerId: '1',
    number: 'B2',
    floor: 'cellar',
  })
  expect(refused.status).toBe(422)
  const again = load(await refused.text())
  expect(again('#floor').attr('value')).toBe('cellar')
  expect(again('#floor-error').text()).toContain('Enter a whole number')
  const empty = load(
    await (await house.submit('manager', '/admin/units', { towerId: '', number: '', floor: '' })).text(),
  )
  expect(empty('.errors li').length).toBe(3)
})

/** The office adds a flat of the first tower; returns it as JSON. */
function addUnit(fields: { number: string; floor: number; towerId?: number }) {
  return house.json('manager', list, { json: { towerId: 1, ...fields } })
}
