import { load } from 'cheerio'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Email } from '../../src/vocabulary/email/delivery.js'
import { answerStyles } from '../support/email/emailClients.js'
import { emailFollower } from '../support/email/emailFollowers.js'
import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
const { office } = house

/**
 * What only staff may read of the incidents below; nothing else in the building holds these words.
 */
const canaries = {
  flat: 'Q7X-4813',
  dueDate: '2031',
  note: 'NOTECANARY',
  cost: 'VENDORCANARY',
  assignee: 'CONTACTCANARY',
  reporter: 'REPORTERCANARY',
}
const secret = new RegExp(Object.values(canaries).join('|'))

/** One email of each kind that says something of an incident, and the contact's. */
let emails: { event: string; email: Email }[]
let incidentIds: number[]

beforeAll(async () => {
  await house.json('manager', '/api/admin/property', { method: 'PATCH', json: { unitVisibility: 'staff' } })
  const email = 'quenby@outside.example'
  await house.user({ name: 'REPORTERCANARY Quenby', email })
  const [{ id: towerId }] = await house.json('manager', '/api/admin/towers')
  const { id: unitId } = await house.json('manager', '/api/admin/units', {
    json: { towerId, number: canaries.flat, floor: 3 },
  })
  const contactId = await house.contact({ name: canaries.assignee, email: 'plumber@outside.example' })
  const flat = { unitId, isAnonymous: true, severity: 'high', reporter: email } as const
  const overdue = await house.overdueReport({ ...flat, title: 'Cold tap' })
  const merged = await house.report({ ...flat, title: 'Warm tap' })
  await emptyOutbox()
  const cookie = await house.signIn(email)
  const asReporter = (path: string, json: object) => house.json({ cookie }, path, { json })
  const reported = { unitId, isAnonymous: true, severity: 'high', title: 'Dripping tap' }
  const { id } = await asReporter('/api/incidents', reported)
  incidentIds = [id, overdue, merged]
  await office.notes(id, canaries.note)
  await office.addsCost(id, { vendor: canaries.cost })
  await emailFollower(
    'jo@outside.example',
    incidentIds.map((each) => `incident:${each}`),
  )
  const update = (json: object) => house.json('manager', `/api/incidents/${id}/updates`, { json })
  await update({ body: 'We come.', newStatus: 'in_progress', contactId, dueOn: '2031-03-09' })
  await update({ body: 'Which tap?' })
  await update({ body: 'Done.', newStatus: 'resolved' })
  await asReporter(`/api/incidents/${id}/verify`, { fixed: false, body: 'It drips.' })
  await house.json('cron', '/api/cron/sweep', { method: 'POST' })
  await office.merges(merged, id)
  await query(`update incidents set due_on = '2031-01-01' where id = $1`, [overdue])
  await house.json('cron', '/api/cron/digest', { method: 'POST' })
  const sent = (await takeMessages()).emails
  // One of each kind: for the office, and for others.
  const byKind = new Map<string, Email>()
  for (const email of sent) {
    const preview = load(email.html)('body > :first-child').text()
    const kind = `${preview.replace(/\d+/g, '')} ${/@example\.com$/.test(email.to.address)}`
    if (!byKind.has(kind)) byKind.set(kind, email)
  }
  emails = [...byKind].map(([event, email]) => ({ event, email }))
})

/** Everything a guest can read about incidents. */
async function read(): Promise<string> {
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

describe('a reply to an assignee’s email that carries the report’s tag instead', () => {
  it('publishes its words, and nothing of the flat and the due date', async () => {
    const { email } = emails.find(({ email: { to } }) => to.address === 'plumber@outside.example')!
    const subject = `Re: Dripping tap [INC-${incidentIds[0]}]`
    for (const [turn, [, answer]] of [
      ...untouched,
      ...perRun({ quick: { every: 18 }, whole: answerStyles }),
    ].entries()) {
      const json = { from: `Nobody <ada@other${turn}.example>`, subject, ...answer('TAGGEDWORDS.', email) }
      await house.ask('inbound', '/api/inbound-email', { json })
      await query(`update inbound_emails set received_at = received_at - interval '1 hour'`)
    }
    const published = await read()
    expect(published).toContain('TAGGEDWORDS.')
    expect(secret.exec(published)?.[0]).toBeUndefined()
  })
})

describe('a reply that brings an email of ours back', () => {
  it('finds emails of every kind, and the contact’s names the flat', () => {
    expect(emails.length).toBeGreaterThan(8)
    const [toContact] = emails.filter(({ email }) => email.to.address === 'plumber@outside.example')
    expect(toContact!.email.text).toContain(canaries.flat)
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
        const json = { from, subject: `Re: ${email.subject}`, headers, ...answer('New words.', email) }
        return house.ask('inbound', '/api/inbound-email', { json })
      })
      await Promise.all(sent)
      await query(`update inbound_emails set received_at = received_at - interval '1 hour'`)
      await query('delete from held_emails')
    }
    const published = await read()
    expect(secret.exec(published)?.[0]).toBeUndefined()
    expect(published).not.toMatch(/overdue for a reply\\n|Planned work in the next 14 days/i)
  })
})

describe('a reply of an assignee outside the building', () => {
  beforeAll(() => query('delete from internal_notes'))

  const given = () => emails.find(({ email }) => email.to.address === 'plumber@outside.example')!.email
  const notesOf = () => house.json('manager', `/api/incidents/${incidentIds[0]}/notes`)
  const reply = (json: object) =>
    house.json('inbound', '/api/inbound-email', {
      json: { from: 'plumber@outside.example', text: 'I come on Monday.', ...json },
    })

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
        authorEmail: 'plumber@outside.example',
        authorName: 'By email',
      })),
    )
    expect(await read()).not.toMatch(/On Wednesday|plumber@/)
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
    await query(
      `insert into internal_notes (incident_id, author_email, body)
       select $1, 'plumber@outside.example', 'x' from generate_series(1, 50)`,
      [incidentIds[0]],
    )
    for (const json of [
      { subject: `Re: ${given().subject}` },
      { subject: 'On my way', headers: { 'In-Reply-To': given().messageId } },
    ])
      expect(await reply({ ...json, text: 'ONETOOMANY' })).toEqual({ action: 'ignored', reason: 'held' })
    expect(await read()).not.toContain('ONETOOMANY')
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
