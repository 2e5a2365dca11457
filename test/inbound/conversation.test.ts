import { load } from 'cheerio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { findLink } from '../../src/platform/links/emailLinks.js'
import { config } from '../../src/platform/process/config.js'
import { mostRefusals, strangerEmails } from '../../src/vocabulary/countedLimits.js'
import type { Email } from '../../src/vocabulary/email/delivery.js'
import { answerStyles } from '../support/email/emailClients.js'
import { forgetEmailFollowers } from '../support/email/emailFollowers.js'
import { takeMessages } from '../support/email/messages.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { column } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'
import { queryAfterFanOut } from '../support/sending.js'

const house = useHouse()
const { office } = house
const original = { publicUrl: config.publicUrl, ...config.email }
const jo = 'jo@outside.example'
let n = 0

beforeEach(async () => {
  config.publicUrl = 'https://building.example'
  config.email.inboundAddress = 'reports@building.example'
  await forgetEmailFollowers()
  await query('delete from held_emails')
  await query(`update inbound_emails set received_at = received_at - interval '1 hour'`)
  await query(`update properties set locale = 'en'`)
})
afterEach(() => {
  const { publicUrl, ...email } = original
  config.publicUrl = publicUrl
  Object.assign(config.email, email)
})

type Given = Record<string, unknown>
const email = (given: Given = {}) => {
  n += 1
  const json = { from: `Jo Novak <${jo}>`, subject: `Lift ${n}`, text: `It hangs ${n}.`, ...given }
  return house.json('inbound', '/api/inbound-email', { json })
}
const sent = async (address = jo): Promise<Email[]> =>
  (await takeMessages()).emails.filter(({ to }) => to.address === address)
const update = (id: number, json: Given, who: Who = 'manager') =>
  house.json(who, `/api/incidents/${id}/updates`, { json })
const detail = (id: number, who: Who = 'guest') => house.json(who, `/api/incidents/${id}`)
/** Presses the button in an email: follows what it is about. */
const press = async ({ text }: Email) => {
  const [, path] = /https:\/\/building\.example(\/follow\/[\w-]+)/.exec(text)!
  const pressed = await house.ask('guest', path!, { method: 'POST' })
  expect(pressed.status).toBeLessThan(400)
}
const wordsOf = ({ html }: Email) => load(html)('body').text().replace(/\s+/g, ' ').trim()
/** What an email program writes on top of an answer to an email. */
const answerTo = ({ messageId, inReplyTo }: Email) => ({
  'In-Reply-To': messageId,
  References: [inReplyTo, messageId].filter(Boolean).join(' '),
})

describe('a sender without an account', () => {
  it('gets one email with the number and a button to follow, and no words of anyone', async () => {
    const { incidentId } = await email({ subject: 'Lift stuck' })
    const emails = await sent()
    expect(emails).toHaveLength(1)
    const [first] = emails
    expect(first).toMatchObject({
      to: { name: '', address: jo },
      subject: `Report to Larkspur Court [INC-${incidentId}]`,
      replyTo: 'reports@building.example',
    })
    expect(first!.headers['Auto-Submitted']).toBe('auto-generated')
    for (const body of [first!.text, wordsOf(first!)]) {
      expect(body).toContain(`INC-${incidentId}`)
      expect(body).not.toContain('Lift stuck')
      expect(body).toContain('## Reply above this line ##')
      expect(body).toContain('Reply to this email')
      expect(body).not.toMatch(/Novak|Okafor|example\.com/)
    }
    expect(first!.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    await update(incidentId, { body: 'Unheard.', newStatus: 'acknowledged' })
    expect(await sent()).toEqual([])
    await press(first!)
    await update(incidentId, { body: 'We come.', newStatus: 'in_progress' })
    const [second, ...more] = await sent()
    expect(more).toEqual([])
    expect(second!.text).toContain('We come.')
    for (const part of ['inReplyTo', 'subject'] as const) expect(second![part]).toBe(first![part])
  })

  it('stops it all with one click, and hears no more of that incident', async () => {
    const { incidentId } = await email()
    const [first] = await sent()
    const [, path] = /<https:\/\/building\.example([^>]+)>/.exec(first!.headers['List-Unsubscribe']!)!
    const click = await house.ask('guest', path!, {
      method: 'POST',
      form: { 'List-Unsubscribe': 'One-Click' },
    })
    expect(click.status).toBe(200)
    await office.starts(incidentId)
    await update(incidentId, { body: 'We come.', newStatus: 'acknowledged' })
    expect(await sent()).toEqual([])
    await email({ subject: `[INC-${incidentId}]`, text: 'And the light is out.' })
    await update(incidentId, { body: 'We know.', newStatus: 'in_progress' })
    expect(await sent()).toEqual([])
  })

  it.each([
    ['es', {}, 'Reporte a'],
    ['en', { headers: { 'Content-Language': 'es-ES' } }, 'Reporte a'],
    ['es', { headers: { 'Content-Language': 'de-DE, en' } }, 'Reporte a'],
  ])(
    'is written to in the language of the building (%s) or of the email (%j)',
    async (locale, given, word) => {
      await query('update properties set locale = $1', [locale])
      await email(given)
      expect((await sent())[0]!.subject).toMatch(new RegExp(`^${word}`))
    },
  )

  it('that is none, or not the one it says, is taken in and never written to', async () => {
    const senders: Given[] = [
      { headers: { 'Auto-Submitted': 'auto-generated' } },
      { headers: { 'Authentication-Results': 'mx.example; dmarc=fail header.from=outside.example' } },
      { from: 'lift-noreply@outside.example' },
      { from: 'nobody' },
    ]
    for (const given of senders) {
      const { action, incidentId } = await email(given)
      expect([given, action]).toEqual([given, 'created'])
      await update(incidentId, { body: 'We come.' })
      expect([given, await query('select from email_followers')]).toEqual([given, []])
      const waiting = await queryAfterFanOut('select from outbox where email_follower_id is not null')
      expect([given, waiting]).toEqual([given, []])
    }
  })

  it('whose email was held is written to once it is an incident; whose email was ignored is not', async () => {
    await query(
      `insert into inbound_emails (digest, sender, action, incident_id, received_at, standing, domain)
       select 'd' || i, '', 'created', (select min(id) from incidents), now(), 'stranger', 'outside.example'
       from generate_series(1, 20) i`,
    )
    expect(await email({ subject: 'Held' })).toEqual({ action: 'ignored', reason: 'held' })
    await email({ subject: 'Away', headers: { 'X-Autorespond': 'yes' } })
    expect(await sent()).toEqual([])
    const ids = await column<number>('select id from held_emails')
    await house.json('manager', '/api/admin/held-emails/accept', { json: { ids } })
    expect((await sent()).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Report to Larkspur Court \[INC-/),
    ])
  })
})

it('a sender with an account is told, too, that the email came in; not who turned such emails off', async () => {
  const address = 'george.adeyemi@example.com'
  const { incidentId } = await email({ from: `x <${address}>`, subject: 'From home' })
  const [first] = await sent(address)
  expect(first!.subject).toBe(`Report to Larkspur Court [INC-${incidentId}]`)
  expect(first!.text).toContain('Anyone can read it')
  expect(await query('select from email_followers')).toEqual([])
  await query(`update users set notifications = '{"created.mail": false}' where email = $1`, [address])
  await email({ from: address })
  expect(await sent(address)).toEqual([])
  await query(`update users set notifications = '{}' where email = $1`, [address])
})

/** The answer, and the line that a telephone adds to it (decision 9.1). */
const leftOne = /^It is the left one\.(\n\n(Sent from my iPhone|Get Outlook for iOS.*))?$/

describe('a conversation by email', () => {
  it.each(perRun({ quick: { every: 9 }, whole: answerStyles }))(
    'goes on, answered with %s, though its subject lost the tag',
    async (_name, answer) => {
      const { incidentId } = await email({ subject: 'Door' })
      const [first] = await sent()
      const headers = answerTo(first!)
      const said = await email({
        subject: 'Something else',
        headers,
        ...answer('It is the left one.', first!),
      })
      expect(said).toEqual({ action: 'appended', incidentId })
      expect((await detail(incidentId)).updates).toMatchObject([
        { authorName: 'By email', via: 'email', body: expect.stringMatching(leftOne) },
      ])
      expect((await detail(incidentId, 'manager')).updates[0].authorEmail).toBe(jo)
      expect(await sent()).toEqual([])
    },
  )

  it('brings what the office writes to the sender, gathered, and the sender’s words to the office', async () => {
    const { incidentId } = await email({ subject: 'Gate' })
    await press((await sent())[0]!)
    await office.follows(incidentId)
    await update(incidentId, { body: 'Which gate?' })
    await update(incidentId, { body: 'The left one?' })
    const [asked, ...more] = await sent()
    expect(more).toEqual([])
    for (const words of ['Which gate?', 'The left one?']) expect(asked!.text).toContain(words)
    // No link would end more than it says.
    const topics = [...asked!.text.matchAll(/unsubscribe\/([\w.-]+)/g)].map(
      async ([, token]) => (await findLink('unsubscribe', token!))!.data.topic,
    )
    expect(await Promise.all(topics)).toEqual([`incident:${incidentId}`, 'all'])
    await takeMessages()
    const headers = answerTo(asked!)
    await email({ subject: 'Re: Gate', text: 'The right one.', headers })
    const { emails } = await takeMessages()
    expect(emails.filter(({ to }) => to.address === jo)).toEqual([])
    const [toOffice] = emails.filter(({ to }) => to.address === 'manager@example.com')
    expect(toOffice!.text).toContain('The right one.')
    expect(`${toOffice!.text}${toOffice!.html}`).not.toContain(jo)
  })

  it('goes to another incident by a tag, and to none by an id we did not write', async () => {
    const { incidentId } = await email()
    const other = (await email({ from: 'al@outside.example' })).incidentId
    const [first] = await sent()
    const tagged = await email({ subject: `Re: [INC-${other}] x`, headers: answerTo(first!) })
    expect(tagged).toEqual({ action: 'appended', incidentId: other })
    for (const id of [`<incident-${incidentId}@building.example>`, `<${'A'.repeat(27)}@building.example>`]) {
      const forged = await email({ headers: { 'In-Reply-To': id } })
      expect(forged.action).toBe('created')
      expect(forged.incidentId).not.toBe(incidentId)
    }
  })

  it('lets somebody hear the answer who writes to an incident of others and presses the button', async () => {
    const { incidentId } = await email({ from: 'al@outside.example', subject: 'ALSWORDS' })
    await email({ subject: `[INC-${incidentId}]`, text: 'Until when?' })
    const [added, ...more] = await sent()
    expect(more).toEqual([])
    expect(added!.text).toContain(`your email to report INC-${incidentId}`)
    expect(`${added!.subject}${added!.text}${added!.html}`).not.toContain('ALSWORDS')
    await email({ subject: `[INC-${incidentId}]`, text: 'Hello?' })
    expect(await sent()).toEqual([])
    await press(added!)
    await office.acknowledges(incidentId)
    await update(incidentId, { body: 'Until Friday.', newStatus: 'in_progress' })
    const [answer] = await sent()
    expect(answer!.text).toContain('Until Friday.')
    expect(answer!.subject).toBe(added!.subject)
    expect(`${answer!.text}${answer!.html}`).not.toContain('al@outside.example')
  })
})

describe('two machines', () => {
  /** How the other machine answers each email it gets. */
  const machines: [name: string, answer: (got: Email, round: number) => Given, most: number][] = [
    ['marks its answers', () => ({ subject: 'Away', headers: { 'Auto-Submitted': 'auto-replied' } }), 1],
    ['keeps our subject', ({ subject }) => ({ subject: `Re: ${subject}` }), 1],
    ['names our mail', (got) => ({ subject: 'Ticket', headers: answerTo(got) }), 1],
    ['quotes our mail', ({ text }) => ({ text: `We have it.\n\n${text.replace(/^/gm, '> ')}` }), 1],
    [
      'gives no sign at all',
      (_, i) => ({ subject: `Ticket ${i}`, text: `We have it: ${i}` }),
      strangerEmails.unprovenPerDay,
    ],
  ]

  it.each(machines)('end after one round when the other %s', async (_name, answer, most) => {
    await email({ subject: 'Alarm' })
    let [got] = await sent()
    let emails = 0
    while (got && emails < 50) {
      emails += 1
      await email(answer(got, emails))
      ;[got] = await sent()
    }
    expect(emails).toBe(most)
  })
})

describe('an email of ours that bounces', () => {
  const report = (name: string, status: string) =>
    `Delivery failed.\nAction: failed\nStatus: ${status}\n\nMessage-ID: ${name}\nSubject: x`
  const bounce = (given: Given) =>
    email({ from: 'MAILER-DAEMON@mx.example', subject: 'Undelivered Mail Returned to Sender', ...given })
  const standing = async () =>
    (await query('select failures, stopped_why as why from email_followers where address = $1', [jo]))[0]

  it('counts against its address, once each, until nothing more is sent there', async () => {
    const { incidentId } = await email()
    const [first] = await sent()
    await press(first!)
    await bounce({ text: report(first!.messageId, '5.1.1') })
    await bounce({ text: `Again. ${report(first!.messageId, '5.1.1')}` })
    expect(await standing()).toEqual({ failures: 1, why: null })
    for (const status of ['acknowledged', 'in_progress'] as const) {
      await office.sets(incidentId, status, undefined, { notified: true })
      const [next] = await sent()
      const attached = {
        filename: 'message.eml',
        contentBase64: Buffer.from(`Message-ID: ${next!.messageId}`).toString('base64'),
      }
      await bounce({ text: 'Status: 5.2.1', attachments: [attached] })
    }
    expect(await standing()).toEqual({ failures: mostRefusals, why: 'refused' })
    await update(incidentId, { body: 'x', newStatus: 'resolved' })
    expect(await sent()).toEqual([])
  })

  it.each([
    ['is only late', (id: string) => `Action: delayed\nStatus: 4.4.1\nWill retry, then 5.4.1\n${id}`],
    ['names no mail of ours', () => 'Action: failed\nStatus: 5.1.1\n<x@outside.example>'],
    ['names one nobody wrote', () => `Status: 5.1.1 <${'A'.repeat(27)}@building.example>`],
  ])('and %s counts against nobody', async (_what, text) => {
    await email()
    const [first] = await sent()
    await bounce({ text: text(first!.messageId) })
    expect(await standing()).toEqual({ failures: 0, why: null })
  })
})
