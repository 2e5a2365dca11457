import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { up } from '../../../migrations/20261127100000_receipts.js'
import { fanOut } from '../../../src/notifications/fanOut.js'
import type { Knex } from '../../../src/platform/db/database.js'
import { query } from '../../../src/platform/db/database.js'
import { texts } from '../../../src/text/index.js'
import type { Email } from '../../../src/vocabulary/email/delivery.js'
import { setBuildingAddress } from '../../support/email/buildingAddress.js'
import { emailFollower, forgetEmailFollowers } from '../../support/email/emailFollowers.js'
import { emptyOutbox, leaveEmail, takeMessages } from '../../support/email/messages.js'
import { anHourLater } from '../../support/email/receivedEmails.js'
import { unsubscribeInOneClick, unsubscribePath } from '../../support/email/unsubscribe.js'
import type { Who } from '../../support/house/asking.js'
import { forgetChoices } from '../../support/house/choices.js'
import { useHouse } from '../../support/house/house.js'
import { ageReports } from '../../support/house/timePassing.js'
import { multipart, picture } from '../../support/pictures.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const { office, maya, neighbour, board } = house
const [resident, stranger] = ['resident@example.com', 'jo@outside.example']
beforeAll(house.sweep)
beforeEach(async () => {
  setBuildingAddress()
  await forgetEmailFollowers()
  await anHourLater()
  await forgetChoices()
})

describe('who reports', () => {
  it.each([
    ['by the API', () => house.json('resident', '/api/incidents', { json: newReport() })],
    ['in a form', () => house.submit('resident', '/report', { ...newReport({ assetId: '7' }) } as never)],
    [
      'at a printed code',
      () => house.submit('resident', '/report', { ...newReport(), place: 'asset-7' } as never),
    ],
    [
      'without a name',
      () => house.json('resident', '/api/incidents', { json: newReport({ isAnonymous: true }) }),
    ],
  ])('%s gets one email with number, text and link', async (_how, sendReport) => {
    await sendReport()
    const id = await scalar<number>('select max(id) as id from incidents')
    const emails = await sentTo(resident)
    expect(emails).toHaveLength(1)
    const [receipt] = emails
    expect(receipt!.subject).toBe(`The lift jolts ${n} [INC-${id}]`)
    for (const words of [`It’s number INC-${id}.`, '> Twice an hour.', 'Where: South lift'])
      expect(receipt!.text).toContain(words)
    expect(receipt!.text).toContain(`Open INC-${id}: https://building.example/incidents/${id}`)
    expect(receipt!.html).toContain('Twice an hour.')
    expect(receipt!.inReplyTo).toBe(`<incident-${id}@building.example>`)
  })

  it('with photos gets the first three, reduced, and their number; a hidden one is none of them', async () => {
    const files = await Promise.all(['#111', '#222', '#333', '#444', '#555'].map((c) => picture('jpeg', c)))
    const { assetId, ...fields } = newReport()
    const body = multipart(
      { ...fields, assetId: String(assetId) },
      files.map((bytes) => ({ bytes })),
    )
    const { id, photos } = await house.json('resident', '/api/incidents', { body })
    await house.json('manager', `/api/incidents/${id}/hide`, { json: { photoId: photos[0].id } })
    const [receipt] = await sentTo(resident)
    const shown = photos.slice(1, 4).map(({ path }: { path: string }) => path)
    expect(receipt!.photos).toEqual(shown)
    expect(receipt!.text).toContain('Photos: 4, the first 3 attached')
  })

  it('without a name is told so, and no one else learns of the email', async () => {
    await house.json('resident', '/api/incidents', { json: newReport({ isAnonymous: true }) })
    const { emails } = await takeMessages()
    const [receipt, ...others] = emails.toSorted((a) => (a.to.address === resident ? -1 : 1))
    expect(receipt!.text).toContain('Other residents don’t see your name.')
    expect(receipt!.html + receipt!.text).not.toMatch(/Maya|Okafor/)
    expect(others.map(({ to }) => to.address)).not.toContain(resident)
    expect(JSON.stringify(others)).not.toMatch(/Maya|Okafor/)
  })

  it('and belongs to the office gets the receipt, and not the news of a report as well', async () => {
    const { id } = await house.json('board', '/api/incidents', { json: newReport() })
    const emails = await sentTo('board@example.com')
    expect(emails.map(({ text }) => text.includes(`It’s number INC-${id}.`))).toEqual([true])
  })

  it('gets one, when the request is repeated and two processes hand it on', async () => {
    const headers = { 'Idempotency-Key': 'receipt-key' }
    const json = newReport()
    await house.json('resident', '/api/incidents', { json, headers })
    await house.json('resident', '/api/incidents', { json, headers })
    await Promise.all([fanOut(), fanOut(), fanOut()])
    expect(await sentTo(resident)).toHaveLength(1)
  })

  it('hears of what follows after it, also when both are handed on at once', async () => {
    const { id } = await house.json('resident', '/api/incidents', { json: newReport() })
    await update(id, { body: 'Seen.', newStatus: 'acknowledged' })
    const texts = (await sentTo(resident)).map(({ text }) => text)
    expect(texts.map((text) => text.includes('We’ve got your report'))).toEqual([true, false])
  })

  it('by the app’s shared account gets none, nor does who is merged, or an earlier report', async () => {
    await house.json('mobile', '/api/incidents', { json: newReport() })
    const [id, target] = [
      await house.report({ reporter: 'resident' }),
      await house.report({ reporter: 'board' }),
    ]
    await office.merges(id, target)
    await takeMessages()
    expect(await query(`select from outbox where event = 'incident.receipt'`)).toEqual([])
  })

  it('and wants no email about new reports gets none, by one click in a receipt or on the account page', async () => {
    await house.json('resident', '/api/incidents', { json: newReport() })
    const [receipt] = await sentTo(resident)
    expect((await unsubscribeInOneClick(house, unsubscribePath(receipt!))).status).toBe(200)
    await house.json('resident', '/api/incidents', { json: newReport() })
    await sendEmail(resident, { isProven: true })
    await sendEmail(resident, { isProven: false })
    expect(await sentTo(resident)).toEqual([])
    await forgetChoices()
    await house.json('resident', '/api/account', { method: 'PATCH', json: { followed: 'nothing' } })
    await house.json('resident', '/api/incidents', { json: newReport() })
    expect(await sentTo(resident)).toEqual([])
  })

  it('and had turned every email about reports off before there were receipts still gets none', async () => {
    const off = { 'status.mail': false, 'comment.mail': false, 'escalated.mail': false, 'merged.mail': false }
    for (const person of [maya, neighbour, board]) await person.wants(off)
    await neighbour.wants({ 'merged.mail': true })
    await up({ raw: (sql: string) => query(sql) } as unknown as Knex)
    const rows = await query<{ email: string }>(
      `select email from users where notifications -> 'created.mail' = 'false'`,
    )
    expect(rows.map(({ email }) => email)).toEqual([resident])
  })
})

describe('who reports by email', () => {
  it.each([resident, stranger])('with proof (%s) gets their words and photos back', async (from) => {
    const { incidentId } = await sendEmail(from, { isProven: true, attachments: [await photo()] })
    const emails = await sentTo(from)
    expect(emails).toHaveLength(1)
    const [receipt] = emails
    expect(receipt!.subject).toBe(`Dark stairs ${n} [INC-${incidentId}]`)
    expect(receipt!.text).toContain(`WORDSOFTHEEMAIL ${n}`)
    expect(receipt!.photos).toHaveLength(1)
    expect(receipt!.text.includes(`Follow INC-${incidentId}: `)).toBe(from === stranger)
    expect(receipt!.text).toContain(
      `Open INC-${incidentId}: https://building.example/incidents/${incidentId}`,
    )
  })

  it.each([resident, stranger])(
    'without proof (%s) gets number, link and button, and no words',
    async (from) => {
      const { incidentId } = await sendEmail(from, { isProven: false, attachments: [await photo()] })
      const emails = await sentTo(from)
      expect(emails).toHaveLength(1)
      const [answer] = emails
      expect(answer!.subject).toBe(`Report to Larkspur Court [INC-${incidentId}]`)
      expect(JSON.stringify(answer)).not.toMatch(/WORDSOFTHEEMAIL|Dark stairs/)
      expect(answer!.photos).toBeUndefined()
      expect(answer!.text.includes(`Follow INC-${incidentId}: `)).toBe(from === stranger)
      const link = `https://building.example/incidents/${incidentId}`
      expect(answer!.text).toContain(`Open INC-${incidentId}: ${link}`)
      expect(answer!.html).toContain(`href="${link}"`)
    },
  )

  it.each(['incident.receipt', 'mail.received'])(
    'reads in %s which files were not taken, and why, in their language',
    async (event) => {
      const { id } = await house.json('resident', '/api/incidents', { json: newReport() })
      await emptyOutbox()
      const notTaken = [
        { name: 'plan.pdf', why: 'not_a_picture' },
        { name: `http://evil.test/pay/${'x'.repeat(90)}.png`, why: 'too_large' },
        { name: 'b.jpg', why: 'a reason of tomorrow' },
      ]
      await board.reads('es')
      await leaveEmail(event, { as: 'created', notTaken, notTakenMore: 7 }, resident, 'board@example.com')
      await query('update outbox set incident_id = $1', [id])
      const { emails } = await takeMessages()
      await board.reads('en')
      expect(emails).toHaveLength(2)
      for (const { to, text, html } of emails) {
        const { whyNotTaken } = texts[to.address === resident ? 'en' : 'es'].inboundEmail
        for (const body of [text, html]) {
          expect(body).toContain(`plan.pdf (${whyNotTaken.not_a_picture})`)
          expect(body).toContain(`… (${whyNotTaken.too_large})`)
          expect(body).toContain(`b.jpg (${whyNotTaken.refused})`)
          expect(body).toMatch(/and 7 more|y 7 más/)
          expect(body).not.toContain('evil.test')
        }
      }
    },
  )
})

describe('every email about a report has one subject for one reader', () => {
  /** Everything that the office and others do with a report, and what that tells the reader. */
  async function story(id: number): Promise<void> {
    const steps: (() => Promise<unknown>)[] = [
      () => update(id, { body: 'Seen.', newStatus: 'acknowledged' }),
      () => update(id, { body: 'The part is ordered.' }),
      () => update(id, { body: 'Done.', newStatus: 'resolved' }),
      () => house.json('board', `/api/incidents/${id}/verify`, { json: { fixed: false, body: 'No.' } }),
      () => update(id, { body: 'Again.', newStatus: 'resolved' }),
      () => house.json('manager', `/api/incidents/${id}/verify`, { json: { fixed: true } }),
    ]
    for (const step of steps) await step()
  }
  const subjectsOf = (emails: Email[]) => [...new Set(emails.map(({ subject }) => subject))]
  const threadsOf = (emails: Email[]) => [...new Set(emails.map(({ inReplyTo }) => inReplyTo))]

  it('who reported with an account', async () => {
    const { id } = await house.json('resident', '/api/incidents', { json: newReport() })
    await ageReports(id, 30)
    await house.sweep()
    await story(id)
    const emails = (await sentTo(resident)).filter(({ subject }) => subject.includes(`INC-${id}]`))
    expect(emails.length).toBeGreaterThan(6)
    expect(subjectsOf(emails)).toEqual([`The lift jolts ${n} [INC-${id}]`])
    expect(threadsOf(emails)).toEqual([`<incident-${id}@building.example>`])
  })

  it('who gets every new report as the office, and follows it', async () => {
    const { id } = await house.json('resident', '/api/incidents', { json: newReport() })
    await house.json('admin', `/api/incidents/${id}/follow`, { method: 'POST' })
    await story(id)
    const emails = (await sentTo('admin@example.com')).filter(({ subject }) => subject.includes(`INC-${id}]`))
    expect(emails.length).toBeGreaterThan(5)
    expect(subjectsOf(emails)).toEqual([`The lift jolts ${n} [INC-${id}]`])
  })

  it.each([
    [resident, true],
    [resident, false],
    [stranger, true],
    [stranger, false],
  ])('who reported by email (%s, proven: %s)', async (from, isProven) => {
    const { incidentId: id } = await sendEmail(from, { isProven })
    const title = isProven ? `Dark stairs ${n}` : 'Report to Larkspur Court'
    const [first] = await sentTo(from)
    if (from === stranger) await press(first!)
    await story(id)
    const emails = [first!, ...(await sentTo(from))]
    expect(emails.length).toBeGreaterThan(5)
    expect(subjectsOf(emails)).toEqual([`${title} [INC-${id}]`])
    expect(threadsOf(emails)).toEqual([`<incident-${id}@building.example>`])
  })

  it.each([true, false])(
    'who wrote to a report of others by email (proven: %s), and follows it since',
    async (isProven) => {
      const { id } = await house.json('resident', '/api/incidents', { json: newReport() })
      await sendEmail(stranger, { isProven, subject: `[INC-${id}]` })
      const [first] = await sentTo(stranger)
      await press(first!)
      await update(id, { body: 'Seen.', newStatus: 'acknowledged' })
      await sendEmail(stranger, { isProven, subject: `[INC-${id}]` })
      await update(id, { body: 'Done.', newStatus: 'resolved' })
      const emails = [first!, ...(await sentTo(stranger))]
      expect(emails.length).toBeGreaterThan(2)
      expect(subjectsOf(emails)).toEqual([`Report to Larkspur Court [INC-${id}]`])
    },
  )

  it('who followed a report without an account, and writes to it later', async () => {
    const { id } = await house.json('resident', '/api/incidents', { json: newReport() })
    await emailFollower(stranger, [`incident:${id}`])
    await update(id, { body: 'Seen.', newStatus: 'acknowledged' })
    const [first] = await sentTo(stranger)
    const title = `The lift jolts ${n}`
    await sendEmail(stranger, { isProven: false, subject: `Re: ${first!.subject}` })
    await update(id, { body: 'Done.', newStatus: 'resolved' })
    const emails = [first!, ...(await sentTo(stranger))]
    expect(emails.length).toBeGreaterThan(1)
    expect(subjectsOf(emails)).toEqual([`${title} [INC-${id}]`])
  })

  it('and no longer says what staff have hidden', async () => {
    const { id } = await house.json('resident', '/api/incidents', { json: newReport({ title: 'RUDEWORD' }) })
    await house.json('manager', `/api/incidents/${id}/hide`, { json: {} })
    for (const email of await sentTo(resident)) expect(JSON.stringify(email)).not.toContain('RUDEWORD')
  })
})

/** What is reported is numbered, so that each email can be told from the others. */
let n = 0

function newReport(more: object = {}) {
  n += 1
  return {
    assetId: 7,
    title: `The lift jolts ${n}`,
    description: 'Twice an hour.',
    severity: 'high',
    ...more,
  }
}

function sendEmail(from: string, { isProven, ...more }: { isProven: boolean } & Record<string, unknown>) {
  n += 1
  const verdict = `mx.building.example; dmarc=pass header.from=${from.split('@')[1]}`
  const headers = isProven ? { 'Authentication-Results': verdict } : {}
  const json = { from, subject: `Dark stairs ${n}`, text: `WORDSOFTHEEMAIL ${n}`, headers, ...more }
  return house.json('inbound', '/api/inbound-email', { json })
}

const photo = async () => ({
  filename: 'stairs.jpg',
  contentBase64: (await picture()).toString('base64'),
})

const update = (id: number, json: object, who: Who = 'manager') =>
  house.json(who, `/api/incidents/${id}/updates`, { json })

const sentTo = async (address: string): Promise<Email[]> =>
  (await takeMessages()).emails.filter(({ to }) => to.address === address)

async function press({ text }: Email) {
  const [, path] = /https:\/\/building\.example(\/follow\/[\w-]+)/.exec(text)!
  expect((await house.ask('guest', path!, { method: 'POST' })).status).toBeLessThan(400)
}
