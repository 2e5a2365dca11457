import { load } from 'cheerio'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { emailLimits } from '../../src/inbound/limits.js'
import { query } from '../../src/platform/db/database.js'
import { findLink } from '../../src/platform/links/emailLinks.js'
import { mostRefusals, strangerEmails } from '../../src/vocabulary/countedLimits.js'
import type { Email } from '../../src/vocabulary/email/delivery.js'
import { answerStyles } from '../support/email/emailClients.js'
import type { IncomingEmail } from '../support/email/incomingEmail.js'
import { takeInEmails } from '../support/email/manyEmails.js'
import { takeMessages } from '../support/email/messages.js'
import { forgetSenders } from '../support/email/receivedEmails.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { column } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'
import { queryAfterFanOut } from '../support/sending.js'

vi.hoisted(() => {
  process.env.PUBLIC_URL = 'https://building.example'
  process.env.INBOUND_ADDRESS = 'reports@building.example'
})

const house = useHouse()
const { office } = house
const jo = 'jo@outside.example'
const notified = { notified: true }

beforeEach(forgetSenders)

describe('a sender without an account', () => {
  it('gets one email with the number and a button to follow, and no words of anyone', async () => {
    const { incidentId } = await emailOfJo({ subject: 'Lift stuck' })
    const emails = await emailsTo()
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
    await office.acknowledges(incidentId, 'Unheard.', notified)
    expect(await emailsTo()).toEqual([])
    await pressButton(first!)
    await office.starts(incidentId, 'We come.', notified)
    const [second, ...more] = await emailsTo()
    expect(more).toEqual([])
    expect(second!.text).toContain('We come.')
    for (const part of ['inReplyTo', 'subject'] as const) expect(second![part]).toBe(first![part])
  })

  it('stops it all with one click, and hears no more of that incident', async () => {
    const { incidentId } = await emailOfJo()
    const [first] = await emailsTo()
    const [, path] = /<https:\/\/building\.example([^>]+)>/.exec(first!.headers['List-Unsubscribe']!)!
    const click = await house.ask('guest', path!, {
      method: 'POST',
      form: { 'List-Unsubscribe': 'One-Click' },
    })
    expect(click.status).toBe(200)
    await office.starts(incidentId)
    await office.acknowledges(incidentId, 'We come.', notified)
    expect(await emailsTo()).toEqual([])
    await emailOfJo({ subject: `[INC-${incidentId}]`, text: 'And the light is out.' })
    await office.starts(incidentId, 'We know.', notified)
    expect(await emailsTo()).toEqual([])
  })

  it.each([
    ['es', {}, 'Reporte a'],
    ['en', { headers: { 'Content-Language': 'es-ES' } }, 'Reporte a'],
    ['es', { headers: { 'Content-Language': 'de-DE, en' } }, 'Reporte a'],
  ])(
    'is written to in the language of the building (%s) or of the email (%j)',
    async (locale, given, word) => {
      await house.changeProperty({ locale })
      onTestFinished(() => house.changeProperty({ locale: 'en' }))
      await emailOfJo(given)
      expect((await emailsTo())[0]!.subject).toMatch(new RegExp(`^${word}`))
    },
  )

  it('that is none, or not the one it says, is taken in and never written to', async () => {
    const senders: IncomingEmail[] = [
      { headers: { 'Auto-Submitted': 'auto-generated' } },
      { headers: { 'Authentication-Results': 'mx.example; dmarc=fail header.from=outside.example' } },
      { from: 'lift-noreply@outside.example' },
      { from: 'nobody' },
    ]
    for (const given of senders) {
      const { action, incidentId } = await emailOfJo(given)
      expect([given, action]).toEqual([given, 'created'])
      await office.answers(incidentId, 'We come.', notified)
      expect([given, await query('select from email_followers')]).toEqual([given, []])
      const waiting = await queryAfterFanOut('select from outbox where email_follower_id is not null')
      expect([given, waiting]).toEqual([given, []])
    }
  })

  it('whose email was held is written to once it is an incident; whose email was ignored is not', async () => {
    const most = emailLimits.hourOfDomain.most.unproven
    await takeInEmails('unproven', most, await house.report(), { domain: 'outside.example' })
    expect(await emailOfJo({ subject: 'Held' })).toEqual({ action: 'ignored', reason: 'held' })
    await emailOfJo({ subject: 'Away', headers: { 'X-Autorespond': 'yes' } })
    expect(await emailsTo()).toEqual([])
    const ids = await column<number>('select id from held_emails')
    await house.json('manager', '/api/admin/held-emails/accept', { json: { ids } })
    expect((await emailsTo()).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Report to Larkspur Court \[INC-/),
    ])
  })
})

it('a sender with an account is told, too, that the email came in; not who turned such emails off', async () => {
  const address = 'george.adeyemi@example.com'
  const { incidentId } = await house.emails({ from: `x <${address}>`, subject: 'From home' })
  const [first] = await emailsTo(address)
  expect(first!.subject).toBe(`Report to Larkspur Court [INC-${incidentId}]`)
  expect(first!.text).toContain('Anyone can read it')
  expect(await query('select from email_followers')).toEqual([])
  await house.json(address, '/api/account', {
    method: 'PATCH',
    json: { notifications: { 'created.mail': false } },
  })
  await house.emails({ from: address })
  expect(await emailsTo(address)).toEqual([])
})

describe('a conversation by email', () => {
  it.each(perRun({ quick: { every: 9 }, whole: answerStyles }))(
    'goes on, answered with %s, though its subject lost the tag',
    async (_name, answer) => {
      const { incidentId } = await emailOfJo({ subject: 'Door' })
      const [first] = await emailsTo()
      const headers = answerTo(first!)
      const said = await emailOfJo({
        subject: 'Something else',
        headers,
        ...answer('It is the left one.', first!),
      })
      expect(said).toEqual({ action: 'appended', incidentId })
      expect((await detail(incidentId)).updates).toMatchObject([
        { authorName: 'By email', via: 'email', body: expect.stringMatching(leftOne) },
      ])
      expect((await detail(incidentId, 'manager')).updates[0].authorEmail).toBe(jo)
      expect(await emailsTo()).toEqual([])
    },
  )

  it('brings what the office writes to the sender, gathered, and the sender’s words to the office', async () => {
    const { incidentId } = await emailOfJo({ subject: 'Gate' })
    await pressButton((await emailsTo())[0]!)
    await office.follows(incidentId)
    await office.answers(incidentId, 'Which gate?', notified)
    await office.answers(incidentId, 'The left one?', notified)
    const [asked, ...more] = await emailsTo()
    expect(more).toEqual([])
    for (const words of ['Which gate?', 'The left one?']) expect(asked!.text).toContain(words)
    // No link would end more than it says.
    const topics = [...asked!.text.matchAll(/unsubscribe\/([\w.-]+)/g)].map(
      async ([, token]) => (await findLink('unsubscribe', token!))!.data.topic,
    )
    expect(await Promise.all(topics)).toEqual([`incident:${incidentId}`, 'all'])
    await takeMessages()
    const headers = answerTo(asked!)
    await emailOfJo({ subject: 'Re: Gate', text: 'The right one.', headers })
    const { emails } = await takeMessages()
    expect(emails.filter(({ to }) => to.address === jo)).toEqual([])
    const [toOffice] = emails.filter(({ to }) => to.address === 'manager@example.com')
    expect(toOffice!.text).toContain('The right one.')
    expect(`${toOffice!.text}${toOffice!.html}`).not.toContain(jo)
  })

  it('goes to another incident by a tag, and to none by an id we did not write', async () => {
    const { incidentId } = await emailOfJo()
    const other = (await house.emails({ from: 'al@outside.example' })).incidentId
    const [first] = await emailsTo()
    const tagged = await emailOfJo({ subject: `Re: [INC-${other}] x`, headers: answerTo(first!) })
    expect(tagged).toEqual({ action: 'appended', incidentId: other })
    for (const id of [`<incident-${incidentId}@building.example>`, `<${'A'.repeat(27)}@building.example>`]) {
      const forged = await emailOfJo({ headers: { 'In-Reply-To': id } })
      expect(forged.action).toBe('created')
      expect(forged.incidentId).not.toBe(incidentId)
    }
  })

  it('lets somebody hear the answer who writes to an incident of others and presses the button', async () => {
    const { incidentId } = await house.emails({ from: 'al@outside.example', subject: 'ALSWORDS' })
    await emailOfJo({ subject: `[INC-${incidentId}]`, text: 'Until when?' })
    const [added, ...more] = await emailsTo()
    expect(more).toEqual([])
    expect(added!.text).toContain(`your email to report INC-${incidentId}`)
    expect(`${added!.subject}${added!.text}${added!.html}`).not.toContain('ALSWORDS')
    await emailOfJo({ subject: `[INC-${incidentId}]`, text: 'Hello?' })
    expect(await emailsTo()).toEqual([])
    await pressButton(added!)
    await office.acknowledges(incidentId)
    await office.starts(incidentId, 'Until Friday.', notified)
    const [answer] = await emailsTo()
    expect(answer!.text).toContain('Until Friday.')
    expect(answer!.subject).toBe(added!.subject)
    expect(`${answer!.text}${answer!.html}`).not.toContain('al@outside.example')
  })
})

describe('two machines', () => {
  /** How the other machine answers each email it gets. */
  const machines: [name: string, answer: (got: Email, round: number) => IncomingEmail, most: number][] = [
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
    await emailOfJo({ subject: 'Alarm' })
    let [got] = await emailsTo()
    let emails = 0
    while (got && emails < 50) {
      emails += 1
      await emailOfJo(answer(got, emails))
      ;[got] = await emailsTo()
    }
    expect(emails).toBe(most)
  })
})

describe('an email of ours that bounces', () => {
  const report = (name: string, status: string) =>
    `Delivery failed.\nAction: failed\nStatus: ${status}\n\nMessage-ID: ${name}\nSubject: x`
  const bounce = (given: IncomingEmail) =>
    house.emails({
      from: 'MAILER-DAEMON@mx.example',
      subject: 'Undelivered Mail Returned to Sender',
      ...given,
    })
  const standing = async () =>
    (await query('select failures, stopped_why as why from email_followers where address = $1', [jo]))[0]

  it('counts against its address, once each, until nothing more is sent there', async () => {
    const { incidentId } = await emailOfJo()
    const [first] = await emailsTo()
    await pressButton(first!)
    await bounce({ text: report(first!.messageId, '5.1.1') })
    await bounce({ text: `Again. ${report(first!.messageId, '5.1.1')}` })
    expect(await standing()).toEqual({ failures: 1, why: null })
    for (const status of ['acknowledged', 'in_progress'] as const) {
      await office.sets(incidentId, status, undefined, { notified: true })
      const [next] = await emailsTo()
      const attached = {
        filename: 'message.eml',
        contentBase64: Buffer.from(`Message-ID: ${next!.messageId}`).toString('base64'),
      }
      await bounce({ text: 'Status: 5.2.1', attachments: [attached] })
    }
    expect(await standing()).toEqual({ failures: mostRefusals, why: 'refused' })
    await office.resolves(incidentId, 'x', notified)
    expect(await emailsTo()).toEqual([])
  })

  it.each([
    ['is only late', (id: string) => `Action: delayed\nStatus: 4.4.1\nWill retry, then 5.4.1\n${id}`],
    ['names no mail of ours', () => 'Action: failed\nStatus: 5.1.1\n<x@outside.example>'],
    ['names one nobody wrote', () => `Status: 5.1.1 <${'A'.repeat(27)}@building.example>`],
  ])('and %s counts against nobody', async (_what, text) => {
    await emailOfJo()
    const [first] = await emailsTo()
    await bounce({ text: text(first!.messageId) })
    expect(await standing()).toEqual({ failures: 0, why: null })
  })
})

/** An email of Jo, who has no account. */
function emailOfJo(given: IncomingEmail = {}) {
  return house.emails({ from: `Jo Novak <${jo}>`, ...given })
}

/** What waits for this person. */
async function emailsTo(address = jo): Promise<Email[]> {
  return (await takeMessages()).emails.filter(({ to }) => to.address === address)
}

function detail(id: number, who: Who = 'guest') {
  return house.json(who, `/api/incidents/${id}`)
}

/** Presses the button in an email: follows what it is about. */
async function pressButton({ text }: Email) {
  const [, path] = /https:\/\/building\.example(\/follow\/[\w-]+)/.exec(text)!
  const pressed = await house.ask('guest', path!, { method: 'POST' })
  expect(pressed.status).toBeLessThan(400)
}

function wordsOf({ html }: Email) {
  return load(html)('body').text().replace(/\s+/g, ' ').trim()
}

/** What an email program writes on top of an answer to an email. */
function answerTo({ messageId, inReplyTo }: Email) {
  return {
    'In-Reply-To': messageId,
    References: [inReplyTo, messageId].filter(Boolean).join(' '),
  }
}

/** The answer, and the line that a telephone adds to it (decision 9.1). */
const leftOne = /^It is the left one\.(\n\n(Sent from my iPhone|Get Outlook for iOS.*))?$/
