import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const { maya, board, office } = house
const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()

type Listed = { id: number; name: string; category: string; towerName: string; status: string }
let asset: Listed
let id: number

beforeAll(async () => {
  const { assets } = await house.json<{ assets: Listed[] }>('guest', '/api/status')
  asset = assets.find(({ status }) => status === 'operational')!
})
beforeEach(async () => {
  await query(`update incidents set status = 'resolved', acknowledged_at = coalesce(acknowledged_at, now()),
    resolved_at = now(), expected_back_at = null, status_reason = null
  where asset_id = ${asset.id} and resolved_at is null`)
  id = await report()
})

const report = (given: GivenReport = {}) =>
  house.report({ assetId: asset.id, title: 'Stands still', severity: 'critical', ...given })
const say = (given: object, incidentId = id, who: Who = 'manager') =>
  house.ask(who, `/api/incidents/${incidentId}`, { method: 'PATCH', json: given })
const onStatus = async () =>
  (await house.json('guest', '/api/status')).assets.find((each: Listed) => each.id === asset.id)

describe('what the office expects', () => {
  it('is in the incident, the status and the asset, for everybody', async () => {
    const expectedBackAt = inHours(5)
    const answer = await say({ expectedBackAt, statusReason: 'waiting_for_parts' })
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { expectedBackAt, statusReason: 'waiting_for_parts' },
    ])
    for (const shown of [
      await house.json('guest', `/api/incidents/${id}`),
      await onStatus(),
      await house.json('mobile', `/api/assets/${asset.id}`),
    ])
      expect(shown).toMatchObject({ expectedBackAt, statusReason: 'waiting_for_parts' })
    for (const [path, where] of [
      ['/', `li:has(a[href="/assets/${asset.id}"]) .back`],
      [`/assets/${asset.id}`, '.overall'],
      [`/incidents/${id}`, '.back'],
    ] as const) {
      const text = (await house.page('guest', path))(where).text()
      expect(text, path).toContain('Waiting for parts')
      expect(text, path).toContain('Expected back: ')
    }
  })

  it('is said by staff only, and audited', async () => {
    for (const who of ['resident', 'mobile'] as Who[])
      expect((await say({ statusReason: 'watching' }, id, who)).status).toBe(403)
    await say({ statusReason: 'watching' })
    const changes = await scalar<object>(
      `select changes from audit_entries where entity_id = $1 and action = 'incident.edited' order by id desc limit 1`,
      [id],
    )
    expect(changes).toEqual({ statusReason: { before: null, after: 'watching' } })
  })

  it('goes when the incident is resolved, with an entry, and does not come back', async () => {
    await office.starts(id)
    await say({ expectedBackAt: inHours(5), statusReason: 'An own word' })
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: 'Done', newStatus: 'resolved' },
    })
    const nothing = { expectedBackAt: null, statusReason: null }
    expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject(nothing)
    const changes = await scalar<object>(
      `select changes from audit_entries where entity_id = $1 and action = 'incident.status_changed'
       order by id desc limit 1`,
      [id],
    )
    expect(changes).toMatchObject({ statusReason: { before: 'An own word', after: null } })
    await house.json('resident', `/api/incidents/${id}/verify`, { json: { fixed: false } })
    expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject(nothing)
  })

  it.each([
    [{ expectedBackAt: 'tomorrow' }, 'expectedBackAt'],
    [{ expectedBackAt: new Date(0).toISOString() }, 'expectedBackAt'],
    [{ statusReason: 'x'.repeat(201) }, 'statusReason'],
    [{ statusReason: 'other' }, 'otherReason'],
  ])('is refused as %j', async (given, field) => {
    const answer = await say(given)
    expect([answer.status, Object.keys((await answer.json()).errors)]).toEqual([422, [field]])
  })

  it('cannot be said of what is resolved', async () => {
    await office.resolves(id)
    expect((await say({ expectedBackAt: inHours(1) })).status).toBe(422)
    expect((await say({ statusReason: 'watching' })).status).toBe(422)
    expect((await house.page('manager', `/incidents/${id}`))('#comment-statusReason').length).toBe(0)
  })

  it('is set and cleared on the page, in the words of ours or others', async () => {
    const answer = (form: Record<string, string>) => house.submit('manager', `/incidents/${id}/updates`, form)
    await answer({ statusReason: 'other', otherReason: ' constructor ', expectedBackAt: '2099-01-02T10:30' })
    const page = await house.page('manager', `/incidents/${id}`)
    expect(page('#comment-statusReason option[selected]').attr('value')).toBe('other')
    expect(page('#comment-otherReason').attr('value')).toBe('constructor')
    expect(page('#comment-expectedBackAt').attr('value')).toBe('2099-01-02T10:30')
    const guest = await house.page('guest', `/incidents/${id}`)
    expect(guest('.back').first().text()).toMatch(/^constructor\. Expected back: 2 Jan 2099\s*$/)
    expect(guest('.back time').attr('title')).toContain('10:30')
    await answer({ statusReason: '', otherReason: '', expectedBackAt: '' })
    expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({
      expectedBackAt: null,
      statusReason: null,
    })
  })

  it('that has passed is called what it is, and other corrections are still possible', async () => {
    await say({ expectedBackAt: inHours(1) })
    await query(`update incidents set expected_back_at = now() - interval '1 hour' where id = $1`, [id])
    expect((await say({ title: 'Stands quite still' })).status).toBe(200)
    for (const path of ['/', `/assets/${asset.id}`, `/incidents/${id}`])
      expect((await house.page('guest', path))('.back').text(), path).toContain('It was due back')
  })

  it('is of the cause that lasts longest, when there are several', async () => {
    const other = await report({ title: 'And another' })
    await say({ expectedBackAt: inHours(2), statusReason: 'engineer_coming' })
    await say({ expectedBackAt: inHours(9), statusReason: 'waiting_for_parts' }, other)
    expect((await onStatus()).statusReason).toBe('waiting_for_parts')
    const harmless = await report({ title: 'A scratch', severity: 'low' })
    await say({ expectedBackAt: inHours(99), statusReason: 'watching' }, harmless)
    expect((await onStatus()).statusReason).toBe('waiting_for_parts')
  })
})

describe('the page of an asset', () => {
  it('answers first whether it works, since when, and what is being done', async () => {
    await office.acknowledges(id, 'The mechanic comes at ten')
    const answer = (await house.page('guest', `/assets/${asset.id}`))('.overall')
    expect(answer.find('.state').first().text()).toMatch(/^Out of service since .+\.$/)
    expect(answer.find('blockquote').text()).toBe('The mechanic comes at ten')
    expect(answer.find(`a[href="/incidents/${id}"]`).length).toBe(1)
  })

  it('takes no resident’s words for the office’s, and says so when the office has said nothing', async () => {
    await maya.comments(id, 'Hello?')
    const text = (await house.page('guest', `/assets/${asset.id}`))('.overall').text()
    expect(text).toContain('No update from the office yet.')
    expect(text).not.toContain('Hello?')
  })

  it('shows no words that somebody of the staff wrote without a name', async () => {
    await query(
      `update incidents set status = 'resolved', acknowledged_at = now(), resolved_at = now() where id = ${id}`,
    )
    const json = { assetId: asset.id, title: 'Private', severity: 'critical', isAnonymous: true }
    const own = await house.json('board', '/api/incidents', { json })
    await board.comments(own.id, 'As a neighbour')
    expect((await house.page('guest', `/assets/${asset.id}`))('.overall').text()).not.toContain(
      'As a neighbour',
    )
  })

  it('says how many of its kind work in the tower, and which', async () => {
    const { assets } = await house.json<{ assets: Listed[] }>('guest', '/api/status')
    const lift = assets.find(({ category, towerName }) => category === 'Lift' && towerName === 'North Tower')!
    const alike = assets.filter(
      ({ category, towerName }) => category === lift.category && towerName === lift.towerName,
    )
    const working = alike.filter(({ status }) => status === 'operational').length
    const page = await house.page('guest', `/assets/${lift.id}`)
    expect(page('.overall').text()).toContain(`Lift in North Tower: ${working} of ${alike.length} working`)
    for (const other of alike.filter(({ id }) => id !== lift.id))
      expect(page(`.others a[href="/assets/${other.id}"]`).text()).toBe(other.name)
    const only = assets.find(
      ({ category, towerName }) =>
        assets.filter((each) => each.category === category && each.towerName === towerName).length === 1,
    )!
    expect((await house.page('guest', `/assets/${only.id}`))('.others').length).toBe(0)
  })
})
