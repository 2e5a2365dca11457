import { beforeAll, describe, expect, it } from 'vitest'
import { texts } from '../../../src/text/index.js'
import { heldEmail } from '../../support/email/heldEmails.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const { es } = texts

beforeAll(() => house.json('admin', '/api/admin/property', { method: 'PATCH', json: { locale: 'es' } }))

/** All of them read English, by their accounts and by their browsers. */
const english = { 'accept-language': 'en' }
const write = (who: Who, path: string, json: unknown) => house.json(who, path, { json, headers: english })
const report = () => house.report({ assetId: 4, title: 'A fault', severity: 'low' })
const fixed = () => house.report({ assetId: 4, severity: 'low', status: 'resolved' })
const latest = (id: number) =>
  scalar<string>('select body from incident_updates where incident_id = $1 order by id desc limit 1', [id])

/**
 * Every way in which a sentence of ours gets into a timeline: does it, and says where and which.
 */
const ways: Record<string, () => Promise<[number, string]>> = {
  'acknowledged from the desk': async () => {
    const id = await report()
    await write('manager', '/api/admin/acknowledge', { ids: [id] })
    return [id, es.desk.acknowledgedEntry]
  },
  'confirmed without a word': async () => {
    const id = await fixed()
    await write('resident', `/api/incidents/${id}/verify`, { fixed: true })
    return [id, es.incident.verdict.fixed]
  },
  'not confirmed, without a word': async () => {
    const id = await fixed()
    await write('resident', `/api/incidents/${id}/verify`, { fixed: false })
    return [id, es.incident.verdict.notFixed]
  },
  merged: async () => {
    const [id, duplicate] = [await report(), await report()]
    await write('manager', `/api/incidents/${duplicate}/merge`, { targetId: id })
    return [id, es.merging.mergedEntry(duplicate)]
  },
  'answered by email without new words': async () => {
    const id = await report()
    await write('inbound', '/api/inbound-email', {
      from: 'resident@example.com',
      subject: `Re: [INC-${id}]`,
      text: '',
    })
    return [id, es.inboundEmail.nothingNew]
  },
  'an email let in by the office, without its photos': async () => {
    const email = await heldEmail({ skipped: ['plan.pdf'], text: 'It smells of gas.' })
    await write('manager', '/api/admin/held-emails/accept', { ids: [email] })
    return [
      await scalar<number>('select incident_id as id from held_emails where id = $1', [email]),
      es.inboundEmail.notTaken(1),
    ]
  },
}

describe('a sentence of ours in a timeline', () => {
  it.each(Object.entries(ways))("is in the property's language: %s", async (_what, way) => {
    const [id, sentence] = await way()
    expect(await latest(id)).toContain(sentence)
  })
})
