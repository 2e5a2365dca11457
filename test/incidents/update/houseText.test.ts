import { beforeAll, describe, expect, it } from 'vitest'
import { texts } from '../../../src/text/index.js'
import { heldEmail } from '../../support/email/heldEmails.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const { es } = texts

beforeAll(() => house.json('admin', '/api/admin/property', { method: 'PATCH', json: { locale: 'es' } }))

describe('a sentence of the service in a timeline is in the language of the building', () => {
  it('where the desk acknowledges a report', async () => {
    const id = await house.report()
    await postInEnglish('manager', '/api/admin/acknowledge', { ids: [id] })
    expect(await latestEntry(id)).toContain(es.desk.acknowledgedEntry)
  })

  it('where a repair is confirmed without a word', async () => {
    const id = await house.report({ status: 'resolved' })
    await postInEnglish('resident', `/api/incidents/${id}/verify`, { fixed: true })
    expect(await latestEntry(id)).toContain(es.incident.verdict.fixed)
  })

  it('where a repair is not confirmed, without a word', async () => {
    const id = await house.report({ status: 'resolved' })
    await postInEnglish('resident', `/api/incidents/${id}/verify`, { fixed: false })
    expect(await latestEntry(id)).toContain(es.incident.verdict.notFixed)
  })

  it('where a report is merged', async () => {
    const [survivor, duplicate] = [await house.report(), await house.report()]
    await postInEnglish('manager', `/api/incidents/${duplicate}/merge`, { targetId: survivor })
    expect(await latestEntry(survivor)).toContain(es.merging.mergedEntry(duplicate))
  })

  it('where an email answers without new words', async () => {
    const id = await house.report()
    const email = { from: 'resident@example.com', subject: `Re: [INC-${id}]`, text: '' }
    await postInEnglish('inbound', '/api/inbound-email', email)
    expect(await latestEntry(id)).toContain(es.inboundEmail.nothingNew)
  })

  it('where the office accepts an email without its photos', async () => {
    const email = await heldEmail({ skipped: ['plan.pdf'], text: 'It smells of gas.' })
    await postInEnglish('manager', '/api/admin/held-emails/accept', { ids: [email] })
    const id = await scalar<number>('select incident_id as id from held_emails where id = $1', [email])
    expect(await latestEntry(id)).toContain(es.inboundEmail.notTaken(1))
  })
})

/** Asks as a person who reads English, by their account and by their browser. */
function postInEnglish(who: Who, path: string, json: unknown) {
  return house.json(who, path, { json, headers: { 'accept-language': 'en' } })
}

function latestEntry(id: number): Promise<string> {
  return scalar<string>('select body from incident_updates where incident_id = $1 order by id desc limit 1', [
    id,
  ])
}
