import { load } from 'cheerio'
import { describe, expect, it, vi } from 'vitest'
import { patchIncident } from '../../../src/incidents/acts/patchIncident.js'
import { findListedIncident } from '../../../src/incidents/model/listedIncidents.js'
import { officeVersion } from '../../../src/incidents/model/officeVersion.js'
import { userIdOf } from '../../support/accounts.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'

vi.mock('../../../src/incidents/model/listedIncidents.js', async (original) => {
  const real = await original<typeof import('../../../src/incidents/model/listedIncidents.js')>()
  return { ...real, findListedIncident: vi.fn(real.findListedIncident) }
})

const house = useHouse()
const [tuesday, wednesday, thursday] = ['2036-05-06T17:00', '2036-05-07T17:00', '2036-05-08T17:00']

let n = 0
const report = (given: GivenReport = {}) =>
  house.report({
    assetId: 3,
    title: `Meanwhile ${++n}`,
    severity: 'high',
    status: 'in_progress',
    body: 'First.',
    ...given,
  })

type Fields = Record<string, string>

/** The fields of the answer form of a page, as a browser sends them. */
function fieldsOf($: Awaited<ReturnType<typeof house.page>>, id: number): Fields {
  const form = $(`form[action="/incidents/${id}/updates"]`)
  return Object.fromEntries(
    form
      .find('input:not([type=file]):not([type=checkbox]), select, textarea')
      .toArray()
      .map((field) => [$(field).attr('name')!, String($(field).val() ?? '')]),
  )
}
const formOf = async (id: number) => fieldsOf(await house.page('manager', `/incidents/${id}`), id)

/** Sends the form; the page that comes back, with its fields. */
async function send(id: number, fields: Fields) {
  const answer = await house.submit('manager', `/incidents/${id}/updates`, fields)
  const page = load(await answer.text())
  return { status: answer.status, page, fields: fieldsOf(page, id), said: page('.answer .stored').text() }
}

const board = async () => {
  const id = await userIdOf('board')
  return { type: 'user', id, name: 'Eleanor Whitcombe', role: 'board', via: 'web' } as const
}
const says = (who: Who, id: number, json: object) => house.json(who, `/api/incidents/${id}/updates`, { json })

/**
 * What a colleague sets, as JSON and as the fields show it; what the manager has
 * typed; and both in words.
 */
const theirs = async () => ({
  json: {
    expectedBackAt: '2036-05-07T16:00:00.000Z',
    statusReason: 'waiting_for_parts',
    dueOn: '2036-05-02',
    assigneeId: await userIdOf('board'),
  },
  shows: {
    expectedBackAt: wednesday,
    statusReason: 'waiting_for_parts',
    dueOn: '2036-05-02',
    assignee: `staff-${await userIdOf('board')}`,
  },
})
const mine = { expectedBackAt: thursday, statusReason: 'other', assignee: 'nobody', dueOn: '2036-05-09' }
const words = [
  '7 May 2036, 17:00',
  '8 May 2036, 17:00',
  'Waiting for parts',
  'A bird sits in it',
  'Eleanor Whitcombe',
  'No one yet',
  '2 May 2036',
  '9 May 2036',
]

describe('a form sent after a colleague has answered', () => {
  it('shows what the colleague set, and keeps it when sent again', async () => {
    const id = await report()
    const form = await formOf(id)
    const { json, shows } = await theirs()
    await says('board', id, { body: 'From a colleague.', ...json })
    const refused = await send(id, { ...form, body: 'Typed at the same time.' })
    expect(refused.status).toBe(409)
    expect(refused.fields).toMatchObject({ ...shows, body: 'Typed at the same time.' })
    expect(refused.said).toContain('From a colleague.')
    expect((await send(id, refused.fields)).status).toBe(303)
    expect(await house.json('manager', `/api/incidents/${id}`)).toMatchObject(json)
  })

  it('names both values of what both have set, and keeps one’s own to send', async () => {
    const id = await report({ expectedBackAt: new Date('2036-05-06T16:00:00Z'), assignee: 'admin' })
    const form = await formOf(id)
    expect(form.expectedBackAt).toBe(tuesday)
    await says('board', id, { body: 'From a colleague.', ...(await theirs()).json })
    const refused = await send(id, { ...form, ...mine, otherReason: 'A bird sits in it', body: 'Mine.' })
    expect(refused.status).toBe(409)
    expect(refused.fields).toMatchObject(mine)
    for (const word of words) expect(refused.said).toContain(`“${word}”`)
    expect((await send(id, refused.fields)).status).toBe(303)
  })

  it('takes nothing that it does not understand for what was shown', async () => {
    const id = await report()
    const form = await formOf(id)
    await says('board', id, { body: 'From a colleague.', dueOn: '2036-05-02' })
    for (const shown of ['', 'null', '{"dueOn":7}', '{']) {
      const refused = await send(id, { ...form, shown, body: 'Mine.' })
      expect([shown, refused.status]).toEqual([shown, 409])
    }
  })

  it('says that it was a resident, when it was', async () => {
    const id = await report({ status: 'resolved' })
    const form = await formOf(id)
    await house.json('resident', `/api/incidents/${id}/verify`, {
      json: { fixed: false, body: 'Still stuck.' },
    })
    const refused = await send(id, { ...form, body: 'All well now?' })
    expect(refused.status).toBe(409)
    expect(refused.said).toContain('A resident has just responded.')
    expect(refused.said).toContain('Still stuck.')
    expect(refused.page('body').text()).not.toContain('A colleague has just replied.')
  })
})

it('the version of a form is of before what it shows, so that a change in between is noticed', async () => {
  const id = await report()
  const read = vi.mocked(findListedIncident).getMockImplementation()!
  vi.mocked(findListedIncident).mockImplementationOnce(async (incidentId) => {
    const row = await read(incidentId)
    await patchIncident(await board(), id, {
      body: 'In between.',
      dueOn: '2036-05-02',
    })
    return row
  })
  const form = await formOf(id)
  expect(form.version).not.toBe(await officeVersion(id))
  expect((await send(id, { ...form, body: 'Mine.' })).status).toBe(409)
})
