import { describe, expect, it } from 'vitest'
import { idle } from '../../../src/platform/outbox/outbox.js'
import { useHouse } from '../../support/house/house.js'
import { statementsOf } from '../../support/statements.js'

const house = useHouse()
const { maya } = house
const browser = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

describe('an acknowledgement from the desk', () => {
  it('reads nothing after its commit that a redirect does not need', async () => {
    const id = await newReport('It hums')
    const form = { returnTo: '/admin/desk' }
    const texts = await statementsOf(house, 'manager', `/incidents/${id}/acknowledge`, {
      form,
      headers: browser,
    })
    expect(texts.map(stepOf)).toEqual(steps.map(([step]) => step))
  })

  it('answers JSON with the incident as it is now', async () => {
    const id = await newReport('It hums again')
    const answer = await house.ask('manager', `/api/incidents/${id}/acknowledge`, { json: {} })
    expect(await answer.json()).toMatchObject({ id, status: 'acknowledged' })
  })
})

/** What a statement is for, by words of its text. */
const steps: [string, RegExp][] = [
  ['who asks', /from sessions s/],
  ['the building', /from "properties"/],
  ['begin', /^begin/],
  ['the incident, locked', /from "incidents" where .* for update/],
  ['its assets, locked', /^with locked as/],
  ['the incident, changed', /^update incidents/],
  ['what it does to its assets', /^with wanted as/],
  ['its timeline', /^insert into incident_updates/],
  ['who follows it', /^insert into followers/],
  ['its audit entry and its event', /insert into audit_entries[\s\S]*insert into events/],
  ['commit', /^commit/],
]

function stepOf(text: string): string {
  return steps.find(([, words]) => words.test(text.trim()))?.[0] ?? text
}

async function newReport(title: string): Promise<number> {
  const { id } = await maya.json('/api/incidents', { json: { assetId: 1, title, severity: 'low' } })
  await idle()
  return id
}
