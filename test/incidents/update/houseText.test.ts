import { load } from 'cheerio'
import { beforeAll, describe, expect, it } from 'vitest'
import { texts } from '../../../src/text/index.js'
import { heldEmail } from '../../support/email/heldEmails.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const { en, es } = texts

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

describe('the page of a report in another language than the building', () => {
  it('shows those sentences in its own, while JSON has them as they are stored', async () => {
    const [survivor, duplicate] = [await house.report(), await house.report()]
    await postInEnglish('manager', `/api/incidents/${duplicate}/merge`, { targetId: survivor })
    expect(await pageIn('en', survivor)).toContain(en.merging.mergedEntry(duplicate))
    expect(await pageIn('es', survivor)).toContain(es.merging.mergedEntry(duplicate))
    const json = await house.json('guest', `/api/incidents/${survivor}`, inLanguage('en'))
    expect(JSON.stringify(json)).toContain(es.merging.mergedEntry(duplicate))
  })

  it('quotes the office between the marks of its own', async () => {
    const id = await house.report({ assetId: 7, severity: 'critical' })
    const json = { body: 'Viene el técnico.', newStatus: 'in_progress' }
    await house.json('manager', `/api/incidents/${id}/updates`, { json })
    expect(await pageAt('en', '/')).toContain('“Viene el técnico.”')
    expect(await pageAt('es', '/')).toContain('«Viene el técnico.»')
  })

  it('leaves alone what people write, also where it begins with such a sentence', async () => {
    const id = await house.report()
    const body = `${es.desk.acknowledgedEntry} Gracias.`
    await house.json('resident', `/api/incidents/${id}/updates`, { json: { body } })
    expect(await pageIn('en', id)).toContain(body)
  })
})

const inLanguage = (language: string) => ({ headers: { 'accept-language': language } })

const pageIn = (language: string, id: number) => pageAt(language, `/incidents/${id}`)

async function pageAt(language: string, path: string): Promise<string> {
  const headers = { accept: 'text/html', 'accept-language': language }
  const page = load(await (await house.ask('guest', path, { headers })).text())
  return page('main').text()
}

/** Asks as a person who reads English, by their account and by their browser. */
function postInEnglish(who: Who, path: string, json: unknown) {
  return house.json(who, path, { json, headers: { 'accept-language': 'en' } })
}

function latestEntry(id: number): Promise<string> {
  return scalar<string>('select body from incident_updates where incident_id = $1 order by id desc limit 1', [
    id,
  ])
}
