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
let n = 0

describe('a form sent after a colleague has answered', () => {
  it('shows what the colleague set, and keeps it when sent again', async () => {
    const id = await reportInProgress()
    const form = await formOf(id)
    const { json, shows } = await fieldsOfColleague()
    await says('board', id, { body: 'From a colleague.', ...json })
    const refused = await sendForm(id, { ...form, body: 'Typed at the same time.' })
    expect(refused.status).toBe(409)
    expect(refused.fields).toMatchObject({ ...shows, body: 'Typed at the same time.' })
    expect(refused.stored).toContain('From a colleague.')
    expect((await sendForm(id, refused.fields)).status).toBe(303)
    expect(await house.json('manager', `/api/incidents/${id}`)).toMatchObject(json)
  })

  it('names both values of what both have set, and keeps one’s own to send', async () => {
    const id = await reportInProgress({ expectedBackAt: new Date('2036-05-06T16:00:00Z'), assignee: 'admin' })
    const form = await formOf(id)
    expect(form.expectedBackAt).toBe('2036-05-06T17:00')
    await says('board', id, { body: 'From a colleague.', ...(await fieldsOfColleague()).json })
    const refused = await sendForm(id, {
      ...form,
      ...fieldsOfManager,
      otherReason: 'A bird sits in it',
      body: 'Mine.',
    })
    expect(refused.status).toBe(409)
    expect(refused.fields).toMatchObject(fieldsOfManager)
    for (const value of valuesInWords) expect(refused.stored).toContain(`“${value}”`)
    expect((await sendForm(id, refused.fields)).status).toBe(303)
  })

  it('takes nothing that it does not understand for what was shown', async () => {
    const id = await reportInProgress()
    const form = await formOf(id)
    await says('board', id, { body: 'From a colleague.', dueOn: '2036-05-02' })
    for (const shown of ['', 'null', '{"dueOn":7}', '{']) {
      const refused = await sendForm(id, { ...form, shown, body: 'Mine.' })
      expect([shown, refused.status]).toEqual([shown, 409])
    }
  })

  it('says that it was a resident, when it was', async () => {
    const id = await reportInProgress({ status: 'resolved' })
    const form = await formOf(id)
    await house.json('resident', `/api/incidents/${id}/verify`, {
      json: { fixed: false, body: 'Still stuck.' },
    })
    const refused = await sendForm(id, { ...form, body: 'All well now?' })
    expect(refused.status).toBe(409)
    expect(refused.stored).toContain('A resident has just responded.')
    expect(refused.stored).toContain('Still stuck.')
    expect(refused.page('body').text()).not.toContain('A colleague has just replied.')
  })
})

it('the version of a form is of before what it shows, so that a change in between is noticed', async () => {
  const id = await reportInProgress()
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
  expect((await sendForm(id, { ...form, body: 'Mine.' })).status).toBe(409)
})

function reportInProgress(given: GivenReport = {}): Promise<number> {
  n += 1
  const title = `Meanwhile ${n}`
  return house.report({
    assetId: 3,
    title,
    severity: 'high',
    status: 'in_progress',
    body: 'First.',
    ...given,
  })
}

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

async function formOf(id: number): Promise<Fields> {
  return fieldsOf(await house.page('manager', `/incidents/${id}`), id)
}

/** Sends the form; the page that comes back, with its fields and what it says is stored already. */
async function sendForm(id: number, fields: Fields) {
  const answer = await house.submit('manager', `/incidents/${id}/updates`, fields)
  const page = load(await answer.text())
  return { status: answer.status, page, fields: fieldsOf(page, id), stored: page('.answer .stored').text() }
}

async function board() {
  const id = await userIdOf('board')
  return { type: 'user', id, name: 'Eleanor Whitcombe', role: 'board', via: 'web' } as const
}

function says(who: Who, id: number, json: object) {
  return house.json(who, `/api/incidents/${id}/updates`, { json })
}

/** What a colleague sets, as JSON and as the fields show it. */
async function fieldsOfColleague() {
  const assigneeId = await userIdOf('board')
  const both = { statusReason: 'waiting_for_parts', dueOn: '2036-05-02' }
  return {
    json: { ...both, expectedBackAt: '2036-05-07T16:00:00.000Z', assigneeId },
    shows: { ...both, expectedBackAt: '2036-05-07T17:00', assignee: `staff-${assigneeId}` },
  }
}

/** What the manager has typed meanwhile. */
const fieldsOfManager = {
  expectedBackAt: '2036-05-08T17:00',
  statusReason: 'other',
  assignee: 'nobody',
  dueOn: '2036-05-09',
}

/** What either of them has set, as the page says it. */
const valuesInWords = [
  '7 May 2036, 17:00',
  '8 May 2036, 17:00',
  'Waiting for parts',
  'A bird sits in it',
  'Eleanor Whitcombe',
  'No one yet',
  '2 May 2036',
  '9 May 2036',
]
