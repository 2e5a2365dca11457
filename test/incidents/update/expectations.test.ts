import { beforeEach, describe, expect, it } from 'vitest'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const { maya, board, office } = house
let assetId: number
let id: number

beforeEach(async () => {
  assetId = await house.lift()
  id = await reportStop()
})

describe('what the office expects', () => {
  it('is in the incident, the status and the asset, for everybody', async () => {
    const expectedBackAt = inHours(5)
    const answer = await correct({ expectedBackAt, statusReason: 'waiting_for_parts' })
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { expectedBackAt, statusReason: 'waiting_for_parts' },
    ])
    for (const shown of [
      await house.json('guest', `/api/incidents/${id}`),
      await onStatus(),
      await house.json('mobile', `/api/assets/${assetId}`),
    ])
      expect(shown).toMatchObject({ expectedBackAt, statusReason: 'waiting_for_parts' })
    for (const [path, where] of [
      ['/', `li:has(a[href="/assets/${assetId}"]) .back`],
      [`/assets/${assetId}`, '.overall'],
      [`/incidents/${id}`, '.back'],
    ] as const) {
      const text = (await house.page('guest', path))(where).text()
      expect(text, path).toContain('Waiting for parts')
      expect(text, path).toContain('Expected back: ')
    }
  })

  it('is said by staff only, and audited', async () => {
    for (const who of ['resident', 'mobile'] as Who[])
      expect((await correct({ statusReason: 'watching' }, id, who)).status).toBe(403)
    await correct({ statusReason: 'watching' })
    const changes = await scalar<object>(
      `select changes from audit_entries where entity_id = $1 and action = 'incident.edited' order by id desc limit 1`,
      [id],
    )
    expect(changes).toEqual({ statusReason: { before: null, after: 'watching' } })
  })

  it('goes when the incident is resolved, with an entry, and does not come back', async () => {
    await office.starts(id)
    await correct({ expectedBackAt: inHours(5), statusReason: 'An own word' })
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
    const answer = await correct(given)
    expect([answer.status, Object.keys((await answer.json()).errors)]).toEqual([422, [field]])
  })

  it('cannot be said of what is resolved', async () => {
    await office.resolves(id)
    expect((await correct({ expectedBackAt: inHours(1) })).status).toBe(422)
    expect((await correct({ statusReason: 'watching' })).status).toBe(422)
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
    await office.resolves(id)
    const [createdAt, changedAt, expectedBackAt] = [-3, -2, -1].map((hours) => new Date(inHours(hours)))
    id = await reportStop({ createdAt, status: 'in_progress', changedAt, expectedBackAt })
    expect((await correct({ title: 'Stands quite still' })).status).toBe(200)
    for (const path of ['/', `/assets/${assetId}`, `/incidents/${id}`])
      expect((await house.page('guest', path))('.back').text(), path).toMatch(
        /It was due back at \d\d:\d\d\. The office hasn’t given a new time yet\./,
      )
  })

  it('is of the cause that lasts longest, when there are several', async () => {
    const other = await reportStop({ title: 'And another' })
    await correct({ expectedBackAt: inHours(2), statusReason: 'engineer_coming' })
    await correct({ expectedBackAt: inHours(9), statusReason: 'waiting_for_parts' }, other)
    expect((await onStatus()).statusReason).toBe('waiting_for_parts')
    const harmless = await reportStop({ title: 'A scratch', severity: 'low' })
    await correct({ expectedBackAt: inHours(99), statusReason: 'watching' }, harmless)
    expect((await onStatus()).statusReason).toBe('waiting_for_parts')
  })
})

describe('the page of an asset', () => {
  it('answers first whether it works, since when, and what is being done', async () => {
    await office.acknowledges(id, 'The mechanic comes at ten')
    const answer = (await house.page('guest', `/assets/${assetId}`))('.overall')
    expect(answer.find('.state').first().text()).toMatch(/^Out of service since .+\.$/)
    expect(answer.find('blockquote').text()).toBe('The mechanic comes at ten')
    expect(answer.find(`a[href="/incidents/${id}"]`).length).toBe(1)
  })

  it('takes no resident’s words for the office’s, and says so when the office has said nothing', async () => {
    await maya.comments(id, 'Hello?')
    const text = (await house.page('guest', `/assets/${assetId}`))('.overall').text()
    expect(text).toContain('No update from the office yet.')
    expect(text).not.toContain('Hello?')
  })

  it('shows no words that somebody of the staff wrote without a name', async () => {
    await office.resolves(id)
    const json = { assetId, title: 'Private', severity: 'critical', isAnonymous: true }
    const own = await house.json('board', '/api/incidents', { json })
    await board.comments(own.id, 'As a neighbour')
    expect((await house.page('guest', `/assets/${assetId}`))('.overall').text()).not.toContain(
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
    expect(page('.overall').text()).toContain(`Lifts in North Tower: ${working} of ${alike.length} working`)
    for (const other of alike.filter(({ id }) => id !== lift.id))
      expect(page(`.others a[href="/assets/${other.id}"]`).text()).toBe(other.name)
    const only = assets.find(
      ({ category, towerName }) =>
        assets.filter((each) => each.category === category && each.towerName === towerName).length === 1,
    )!
    expect((await house.page('guest', `/assets/${only.id}`))('.others').length).toBe(0)
  })
})

function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}

type Listed = { id: number; name: string; category: string; towerName: string; status: string }

/** A report that puts the lift out of service. */
function reportStop(given: GivenReport = {}): Promise<number> {
  return house.report({ assetId, title: 'Stands still', severity: 'critical', ...given })
}

/** Corrects fields of a report by request. */
function correct(fields: object, incidentId = id, who: Who = 'manager'): Promise<Response> {
  return house.ask(who, `/api/incidents/${incidentId}`, { method: 'PATCH', json: fields })
}

/** The lift as the status has it. */
async function onStatus() {
  const { assets } = await house.json('guest', '/api/status')
  return assets.find((each: Listed) => each.id === assetId)
}
