import { load } from 'cheerio'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Email } from '../../src/vocabulary/email/delivery.js'
import { answerStyles } from '../support/email/emailClients.js'
import { emailFollower } from '../support/email/emailFollowers.js'
import type { IncomingEmail } from '../support/email/incomingEmail.js'
import { assigneeReplies } from '../support/email/manyEmails.js'
import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import { forgetEmails } from '../support/email/receivedEmails.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
const { office } = house

/** Reports of which staff know more than others may read. */
let incidentIds: number[]
/** One email of each kind that says something of them, and the contact's. */
let emails: { event: string; email: Email }[]

beforeAll(sendEmailsOfEachKind)

describe('a reply to an assignee’s email that carries the report’s tag instead', () => {
  it('publishes its words, and nothing of the flat and the due date', async () => {
    const { email } = emails.find(({ email: { to } }) => to.address === plumber)!
    const subject = `Re: Dripping tap [INC-${incidentIds[0]}]`
    const styles = [...untouched, ...perRun({ quick: { every: 18 }, whole: answerStyles })]
    for (const [turn, [, answer]] of styles.entries()) {
      const from = `Nobody <ada@other${turn}.example>`
      await house.emails({ from, subject, ...answer('TAGGEDWORDS.', email) })
      await forgetEmails()
    }
    const published = await everythingPublic()
    expect(published).toContain('TAGGEDWORDS.')
    expect(secret.exec(published)?.[0]).toBeUndefined()
  })
})

describe('a reply that brings an email of ours back', () => {
  it('finds emails of every kind, and the contact’s names the flat', () => {
    expect(emails.length).toBeGreaterThan(8)
    const [toContact] = emails.filter(({ email }) => email.to.address === plumber)
    expect(toContact!.email.text).toContain(secrets.flat)
    for (const { event, email } of emails)
      if (email.replyTo !== null && email !== toContact!.email)
        expect([event, secret.exec(`${email.subject}${email.text}${email.html}`)?.[0]]).toEqual([
          event,
          undefined,
        ])
  })

  it('publishes nothing that only staff read, however it is written', async () => {
    const styles = [...untouched, ...perRun({ quick: { every: 18 }, whole: answerStyles })]
    for (const [turn, [, answer]] of styles.entries()) {
      const sent = emails.map(({ email }, i) => {
        const from = `Nobody <ada@elsewhere${i}.example>`
        // Found by its subject alone, or by what it answers as well.
        const headers = (turn + i) % 2 ? { 'In-Reply-To': email.messageId } : undefined
        const subject = `Re: ${email.subject}`
        return house.emails({ from, subject, headers, ...answer('New words.', email) })
      })
      await Promise.all(sent)
      await forgetEmails()
    }
    const published = await everythingPublic()
    expect(secret.exec(published)?.[0]).toBeUndefined()
    expect(published).not.toMatch(/overdue for a reply\\n|Planned work in the next 14 days/i)
  })
})

describe('a reply of an assignee outside the building', () => {
  beforeAll(() => query('delete from internal_notes'))

  const given = () => emails.find(({ email }) => email.to.address === plumber)!.email
  const notesOf = () => house.json('manager', `/api/incidents/${incidentIds[0]}/notes`)
  const reply = (email: IncomingEmail) => house.emails({ from: plumber, text: 'I come on Monday.', ...email })

  it('becomes a staff note by the tag in its subject, or by the email it answers', async () => {
    const answers = [
      await reply({ subject: `Re: ${given().subject}`, text: 'I come on Monday.' }),
      await reply({
        subject: 'On my way',
        headers: { 'In-Reply-To': given().messageId },
        text: 'On Tuesday.',
      }),
      await reply({ subject: `RE: ${given().subject.toUpperCase()}`, text: 'On Wednesday.' }),
    ]
    expect(answers).toEqual(Array(3).fill({ action: 'appended', incidentId: incidentIds[0] }))
    const notes = (await notesOf()).slice(-3)
    expect(notes).toMatchObject(
      ['I come on Monday.', 'On Tuesday.', 'On Wednesday.'].map((body) => ({
        body,
        via: 'email',
        authorEmail: plumber,
        authorName: 'By email',
      })),
    )
    expect(await everythingPublic()).not.toMatch(/On Wednesday|plumber@/)
    const unanswered = 'select from incidents where id = $1 and unanswered_since is not null'
    expect(await query(unanswered, [incidentIds[0]])).toHaveLength(1)
  })

  it('is published by staff with one press', async () => {
    await reply({ subject: `Re: ${given().subject}`, text: 'Tap changed, says the plumber.' })
    const page = await house.page('manager', `/incidents/${incidentIds[0]}`)
    const form = page('.timeline .note form').first()
    const fields = Object.fromEntries(
      form
        .find('input')
        .toArray()
        .map(({ attribs }) => [attribs.name!, attribs.value!]),
    )
    const answer = await house.submit('manager', form.attr('action')!, fields)
    expect(answer.status).toBe(303)
    const { updates } = await house.json('guest', `/api/incidents/${incidentIds[0]}`)
    expect(updates.at(-1)).toMatchObject({ body: 'Tap changed, says the plumber.', authorName: 'The office' })
  })

  it('names the file that was not taken also below the longest text', async () => {
    const attachments = [{ filename: 'offer.pdf', contentType: 'application/pdf', content: 'JVBERi0xLjc=' }]
    await reply({ subject: `Re: ${given().subject}`, text: 'word '.repeat(2_000), attachments })
    expect((await notesOf()).at(-1)!.body).toMatch(/word[\s\S]*offer\.pdf/)
  })

  it('waits for the office when the incident has had too many today, and is public nowhere', async () => {
    await assigneeReplies(incidentIds[0]!, 50, 'unproven')
    for (const json of [
      { subject: `Re: ${given().subject}` },
      { subject: 'On my way', headers: { 'In-Reply-To': given().messageId } },
    ])
      expect(await reply({ ...json, text: 'ONETOOMANY' })).toEqual({ action: 'ignored', reason: 'held' })
    expect(await everythingPublic()).not.toContain('ONETOOMANY')
  })

  it('waits for the office when its tag is not ours', async () => {
    const before = (await notesOf()).length
    const forged = given().subject.replace(/\/[a-z0-9]+\]/, '/aaaaaaaa]')
    expect(await reply({ subject: forged, text: 'Forged.' })).toEqual({ action: 'ignored', reason: 'held' })
    expect(await notesOf()).toHaveLength(before)
    const [held] = await house.json('manager', '/api/admin/held-emails')
    expect(held).toMatchObject({ reason: 'reply', text: 'Forged.' })
  })
})

/**
 * What only staff may read of the incidents below; nothing else in the building holds these words.
 */
const secrets = {
  flat: 'Q7X-4813',
  dueDate: '2031',
  note: 'NOTECANARY',
  cost: 'VENDORCANARY',
  assignee: 'CONTACTCANARY',
  reporter: 'REPORTERCANARY',
}

const plumber = 'plumber@outside.example'

const quenby = 'quenby@outside.example'

const notified = { notified: true }

const secret = new RegExp(Object.values(secrets).join('|'))

async function sendEmailsOfEachKind(): Promise<void> {
  await house.changeProperty({ unitVisibility: 'staff' })
  incidentIds = await reportsWithSecrets()
  emails = await emailsAbout(incidentIds)
}

/** A report that the office works on, one that is overdue, and one that will be merged. */
async function reportsWithSecrets(): Promise<number[]> {
  await house.user({ name: 'REPORTERCANARY Quenby', email: quenby })
  const unitId = await house.unit({ number: secrets.flat, floor: 3 })
  const flat = { unitId, isAnonymous: true, severity: 'high', reporter: quenby } as const
  const overdue = await house.overdueReport({ ...flat, title: 'Cold tap' })
  const merged = await house.report({ ...flat, title: 'Warm tap' })
  await emptyOutbox()
  const words = { title: 'Dripping tap', severity: 'high', isAnonymous: true, ...notified } as const
  const id = await house.person(quenby).reports({ unitId }, words)
  await office.notes(id, secrets.note)
  await office.addsCost(id, { vendor: secrets.cost })
  return [id, overdue, merged]
}

/** Lets everything happen to these reports of which someone is emailed. */
async function emailsAbout([id, overdue, merged]: number[]): Promise<typeof emails> {
  const contactId = await house.contact({ name: secrets.assignee, email: plumber })
  await emailFollower(
    'jo@outside.example',
    [id, overdue, merged].map((each) => `incident:${each}`),
  )
  await office.starts(id!, 'We come.', { contactId, dueOn: '2031-03-09', ...notified })
  await office.answers(id!, 'Which tap?', notified)
  await office.resolves(id!, 'Done.', notified)
  await house.person(quenby).saysNotFixed(id!, 'It drips.', notified)
  await house.json('cron', '/api/cron/sweep', { method: 'POST' })
  await office.merges(merged!, id!)
  await office.corrects(overdue!, { dueOn: '2031-01-01' })
  await house.json('cron', '/api/cron/digest', { method: 'POST' })
  const sent = (await takeMessages()).emails
  // One of each kind: for the office, and for others.
  const byKind = new Map<string, Email>()
  for (const email of sent) {
    const preview = load(email.html)('body > :first-child').text()
    const kind = `${preview.replace(/\d+/g, '')} ${/@example\.com$/.test(email.to.address)}`
    if (!byKind.has(kind)) byKind.set(kind, email)
  }
  return [...byKind].map(([event, email]) => ({ event, email }))
}

/** Everything a guest can read about incidents. */
async function everythingPublic(): Promise<string> {
  const texts: string[] = []
  const list = await house.json('guest', '/api/incidents?limit=100')
  const newest = list.slice(0, 30).map(({ id }: { id: number }) => id)
  texts.push(JSON.stringify(list))
  for (const id of new Set([...incidentIds, ...newest]))
    texts.push(JSON.stringify(await house.json('guest', `/api/incidents/${id}`)))
  return texts.join('\n')
}

const untouched: typeof answerStyles = [
  ['an email brought back as it is', (_, { text }) => ({ text, html: '' })],
  ['HTML brought back as it is', (_, { html }) => ({ text: '', html })],
  [
    'an email without our line',
    (fresh, { text }) => ({ text: `${fresh}\n\n${text.split('\n').slice(1).join('\n')}`, html: '' }),
  ],
]
