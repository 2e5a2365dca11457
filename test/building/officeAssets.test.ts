import { describe, expect, it } from 'vitest'
import { idle, startOutbox, stopOutbox } from '../../src/platform/outbox/outbox.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { useHouse } from '../support/house/house.js'
import { column, scalar } from '../support/rows.js'

const house = useHouse()
const list = '/api/admin/assets'
const sauna = { towerId: 1, name: 'Sauna', category: 'Leisure', code: 'N-S1', description: 'On the roof' }
let saunas = 0

describe('an asset', () => {
  it('is refused at the field that is wrong', async () => {
    const taken = 'This tower already has an asset with this name, possibly archived. Choose another name'
    for (const [wrong, field, text] of [
      [{ towerId: 999 }, 'towerId', 'Select one of the towers'],
      [{ towerId: undefined }, 'towerId', 'Select a tower'],
      [{ category: ' ' }, 'category', 'Enter a type'],
      [{ code: 'x'.repeat(51) }, 'code', 'The asset number must be 50 characters or fewer'],
      [{ code: 7 }, 'code', 'This must be text'],
      [{ name: 'Bin store' }, 'name', taken],
    ] as const) {
      const answer = await house.ask('manager', list, { json: { ...sauna, ...wrong } })
      expect([answer.status, (await answer.json()).errors]).toEqual([422, { [field]: [text] }])
    }
  })

  it('with an empty code has none', async () => {
    expect((await add({ code: ' ' })).code).toBeNull()
    const form = { towerId: '1', name: 'Roof garden', category: 'Leisure', code: '', description: '' }
    const answer = await house.submit('manager', '/admin/assets', { ...form, sortOrder: '5' })
    const path = answer.headers.get('location')!.split('?')[0]!
    expect(await house.json('manager', `/api${path}`)).toMatchObject({ code: null, sortOrder: 5 })
  })

  it.each(['JSON', 'a form'])('without a place is the last of its tower, from %s', async (how) => {
    const asset = { ...sauna, name: `New by ${how}` }
    const form = { ...asset, towerId: '2', description: '', sortOrder: '' }
    const answer =
      how === 'JSON'
        ? await house.ask('manager', list, { json: { ...asset, towerId: 2 } })
        : await house.submit('manager', '/admin/assets', form)
    expect(answer.ok || answer.status === 303).toBe(true)
    const { assets } = await house.json('guest', '/api/status')
    const inTower = assets.filter(({ towerName }: { towerName: string }) => towerName === 'South Tower')
    expect(inTower.at(-1).name).toBe(asset.name)
  })

  it('that has a history is not deleted: the page offers to archive it instead', async () => {
    const refused = await house.ask('manager', `${list}/7`, { method: 'DELETE' })
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'in_use'])
    const page = await house.page('manager', '/admin/assets/7/delete')
    expect(page('.points').text()).toMatch(/\d+ reports\s+1 piece of planned work/)
    expect(page('main form').length).toBe(1)
    expect(page('main form').attr('action')).toBe('/admin/assets/7/archive')
    expect(page('main').text()).toContain('archive this asset instead')
    const fresh = await add()
    const harmless = await house.page('manager', `/admin/assets/${fresh.id}/delete`)
    expect(harmless('main form').attr('action')).toBe(`/admin/assets/${fresh.id}/delete`)
  })
})

describe('an archived asset', () => {
  it('vanishes from status, reports and choices, keeps its history, and comes back', async () => {
    const id = 10
    const incidents = (await house.json('guest', `/api/incidents?assetId=${id}`)).length
    expect(incidents).toBeGreaterThan(0)
    const archived = await house.json('manager', `${list}/${id}/archive`, { method: 'POST', json: {} })
    expect(Date.parse(archived.archivedAt)).toBeGreaterThan(0)
    expect(await onStatus(id)).toBe(false)
    expect((await house.ask('guest', `/api/assets/${id}`)).status).toBe(404)
    const report = await house.page('resident', '/report')
    expect(report(`#assetId option[value=asset-${id}]`).length).toBe(0)
    const refused = await house.ask('resident', '/api/incidents', {
      json: { assetId: id, title: 'Noise', severity: 'low' },
    })
    expect(refused.status).toBe(422)
    expect((await house.ask('guest', `/r/${id}`)).status).toBe(404)
    expect(await house.json('guest', `/api/incidents?assetId=${id}`)).toHaveLength(incidents)
    const back = await house.json('manager', `${list}/${id}/unarchive`, { method: 'POST', json: {} })
    expect(back.archivedAt).toBeNull()
    expect(await onStatus(id)).toBe(true)
    expect(await actionsOf(id)).toEqual(expect.arrayContaining(['asset.archived', 'asset.unarchived']))
  })

  it('is archived once however often it is asked, and no one archives what is not there', async () => {
    const { id } = await add()
    const first = await house.json('manager', `${list}/${id}/archive`, { method: 'POST', json: {} })
    const again = await house.json('board', `${list}/${id}/archive`, { method: 'POST', json: {} })
    expect(again).toEqual(first)
    expect(await actionsOf(id)).toEqual(['asset.created', 'asset.archived'])
    expect((await house.ask('manager', `${list}/x/unarchive`, { json: {} })).status).toBe(404)
  })

  it('is announced as it is when it comes back', async () => {
    const { id } = await add()
    const now = Date.now()
    await house.window({
      assetId: id,
      startsAt: new Date(now - 3_600_000),
      endsAt: new Date(now + 3_600_000),
    })
    await house.json('manager', `${list}/${id}/archive`, { method: 'POST', json: {} })
    startOutbox([], async (ids) => void (await announceStatus(ids)), { watch: false })
    await house.json('manager', `${list}/${id}/unarchive`, { method: 'POST', json: {} })
    await idle()
    await stopOutbox()
    expect(await scalar<string>('select announced_status as s from assets where id = $1', [id])).toBe(
      'maintenance',
    )
  })
})

describe('the list of assets', () => {
  const names = async (asked: string) =>
    (await house.json('manager', `${list}?${asked}`)).map(({ name }: { name: string }) => name)

  it('shows what is in use, and the archived when asked', async () => {
    const used = await add({ name: 'Filtered used' })
    const old = await add({ name: 'Filtered old', towerId: 2 })
    await house.ask('manager', `${list}/${old.id}/archive`, { json: {} })
    expect(await names('q=filtered')).toEqual([used.name])
    expect(await names('q=filtered&archived=true')).toEqual([old.name])
    expect(await names('q=filtered&archived=all')).toEqual([old.name, used.name])
    expect(await names('q=filtered&archived=all&towerId=1')).toEqual([used.name])
    expect((await house.ask('manager', `${list}?archived=maybe`)).status).toBe(400)
    const page = await house.page('manager', '/admin/assets?q=filtered&archived=all')
    expect(
      page('#archived option')
        .map((_, each) => page(each).text())
        .get(),
    ).toEqual(['In use', 'Archived', 'All'])
    expect(page('#archived option[selected]').attr('value')).toBe('all')
    expect(page('tbody').text()).toContain('Archived on')
  })

  it('is in the order of the status page where towers with the same order have ids of two lengths', async () => {
    const placed: string[] = []
    for (let towerId = 1; towerId < 10; ) {
      const tower = await house.json('manager', '/api/admin/towers', {
        json: { name: `House ${towerId + 1}`, sortOrder: 50 },
      })
      towerId = tower.id
      placed.push((await add({ name: `Gate of ${tower.name}`, towerId })).name)
    }
    expect(await names('sort=order&q=gate+of')).toEqual(placed)
  })

  it('is in the order of the status page, page by page', async () => {
    const status = (await house.json('guest', '/api/status')).assets.map(({ id }: { id: number }) => id)
    const walked = await house.list('manager', `${list}?sort=order&limit=5`)
    expect(walked.map(({ id }) => id)).toEqual(status)
    expect(await names('sort=category&limit=2')).toEqual(['Bin store', 'Boiler plant'])
  })
})

/** The office adds an asset; returns it as JSON. */
function add(json: object = {}) {
  return house.json('manager', list, { json: { ...sauna, name: `Sauna ${++saunas}`, ...json } })
}

/** What was done to the asset, the first first. */
function actionsOf(id: number) {
  return column<string>(
    `select action from audit_entries where entity = 'asset' and entity_id = $1 order by id`,
    [id],
  )
}

/** Whether the status page shows the asset. */
async function onStatus(id: number) {
  return (await house.json('guest', '/api/status')).assets.some((asset: { id: number }) => asset.id === id)
}
