import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { arrivingEmail, brevoPost, mandrillPost, providers, raw } from '../../support/email/providers.js'
import { forgetEmails } from '../../support/email/receivedEmails.js'
import type { Asked } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { picture } from '../../support/pictures.js'
import { perRun } from '../../support/run/extent.js'
import { queryAfterFanOut } from '../../support/sending.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
const path = '/api/inbound-email'

beforeEach(async () => {
  await forgetEmails()
  await emptyOutbox()
})

describe.each(perRun({ quick: { every: 4 }, whole: Object.keys(providers) }))('by %s', (provider) => {
  it('an absence reply is ignored by its subject, beside any headers, and staff can read it', async () => {
    const text = 'Ich bin bis zum 4. Januar nicht im Büro. +49 30 1234567'
    const subject = 'Automatische Antwort: [INC-1] Aufzug'
    const headers = [['X-Mailer', 'x']] as const
    expect(await arrives(provider, arrivingEmail({ subject, text, headers }))).toEqual({
      action: 'ignored',
      reason: 'automatic_reply',
    })
    expect(await kept()).toMatchObject([{ reason: 'automatic_reply', subject, text }])
    const generated = [
      ['Auto-Submitted', 'auto-generated'],
      ['X-Auto-Response-Suppress', 'All'],
      ['In-Reply-To', '<someone@else.example>'],
    ] as const
    const answer = await arrives(provider, arrivingEmail({ headers: generated }))
    expect(answer.reason).toBe('automatic_reply')
    // The monitor of a lift.
    const alarm = arrivingEmail({ headers: [['Auto-Submitted', 'auto-generated']] })
    expect((await arrives(provider, alarm)).action).toBe('created')
  })

  it('an answer to an invitation is ignored, and the invitation of a person is not', async () => {
    const subject = 'Accepted: Lift inspection'
    const reply = arrivingEmail({ subject, text: 'I come.', attachments: [ics('REPLY')] })
    expect(await arrives(provider, reply)).toEqual({ action: 'ignored', reason: 'calendar' })
    expect(await kept()).toMatchObject([{ reason: 'calendar', subject, text: 'I come.' }])
    const invitation = arrivingEmail({ subject: 'Lift inspection', attachments: [ics('REQUEST')] })
    expect((await arrives(provider, invitation)).action).toBe('created')
    const thumb = arrivingEmail({ subject: 'Re: Lift', text: '👍\n\nAda reacted via Gmail\n' })
    expect((await arrives(provider, thumb)).reason).toBe('calendar')
  })

  it('a calendar answer or a reaction in an attached email says nothing about the email itself', async () => {
    const reaction = {
      filename: 'reaction.json',
      type: 'text/vnd.google.email-reaction+json',
      bytes: Buffer.from('{"version":1,"emoji":"👍"}'),
    }
    for (const file of [ics('REPLY'), reaction]) {
      const exchange = raw(arrivingEmail({ attachments: [file] }))
      const attachments = [{ filename: 'exchange.eml', type: 'message/rfc822', bytes: Buffer.from(exchange) }]
      expect((await arrives(provider, arrivingEmail({ attachments }))).action).toBe('created')
    }
  })

  it('spam waits for the office with its reason, is shown to no one else and is not answered', async () => {
    const attachments = [{ filename: 'won.jpg', bytes: await picture('jpeg', '#a01') }]
    const headers = [['X-Spam-Flag', 'YES']] as const
    const spam = arrivingEmail({ subject: 'You won', headers, attachments })
    const before = await query('select count(*) from incidents')
    expect(await arrives(provider, spam)).toEqual(held)
    expect(await query('select count(*) from incidents')).toEqual(before)
    expect(await waiting()).toMatchObject([
      { reason: 'spam', subject: 'You won', state: 'waiting', photos: 1 },
    ])
    expect(await queryAfterFanOut('select event from outbox')).toEqual([])
    const page = await (await house.ask('manager', '/admin/held-emails')).text()
    expect(page).toContain('Marked as spam by the email provider')
  })
})

describe('a field that says that an email is spam', () => {
  // Where a provider says it in fields of its own: the post, and the same with these fields.
  it.each<[provider: string, fields: Record<string, unknown>, answer: 'held' | 'created']>([
    ['SendGrid Inbound Parse', { spam_score: '5.1' }, 'held'],
    ['SendGrid Inbound Parse', { spam_score: '4.9' }, 'created'],
    ['SendGrid Inbound Parse, raw', { spam_score: '5.1' }, 'held'],
    ['Mailgun Routes', { 'X-Mailgun-Sflag': 'Yes' }, 'held'],
    ['Mailgun Routes, raw', { 'X-Mailgun-Sflag': 'Yes' }, 'held'],
    ['Mailgun Routes', { 'X-Mailgun-Sflag': 'No', 'X-Mailgun-Sscore': '6' }, 'created'],
    ['Mailjet Parse API', { SpamAssassinScore: '8.602' }, 'held'],
    ['the contract', { spamMark: 'our filter' }, 'held'],
    ['the contract', { spamMark: '' }, 'created'],
  ])('counts: %s with %j is %s', async (provider, fields, becomes) => {
    const answer = await answerTo(withFields(providers[provider]!(arrivingEmail()), fields))
    if (becomes === 'held') expect(answer).toEqual(held)
    else expect(answer.action).toBe('created')
  })

  it('holds email of proven staff as well, and the office can take it in', async () => {
    const from = 'Tomasz Zieliński <manager@example.com>'
    expect(await answerTo({ json: { from, subject: 'Water off', text: 'x', spamMark: 'x' } })).toEqual(held)
    const [{ id }] = await waiting()
    const { incidentIds } = await house.json('manager', '/api/admin/held-emails/accept', {
      json: { ids: [id] },
    })
    expect(await house.json('guest', `/api/incidents/${incidentIds[0]}`)).toMatchObject({
      title: 'Water off',
    })
    expect(await queryAfterFanOut(`select event from outbox where event = 'mail.received'`)).toEqual([])
  })
})

describe('providers that post several emails in one', () => {
  it.each([
    ['Brevo', brevoPost],
    ['Mandrill', mandrillPost],
  ])('%s: each is taken in, once', async (_provider, postOf) => {
    const emails = [arrivingEmail(), arrivingEmail({ subject: 'Automatic reply: x' }), arrivingEmail()]
    const first = await answerTo(postOf(emails))
    expect(first).toEqual({ action: 'created', incidentId: expect.any(Number) })
    const { title, description } = await house.json('manager', `/api/incidents/${first.incidentId}`)
    expect([title, description]).toEqual([emails[0]!.subject, emails[0]!.text])
    const stored = () => query('select action, reason from inbound_emails order by received_at, action')
    expect(await stored()).toHaveLength(3)
    expect(await answerTo(postOf(emails))).toEqual(first)
    expect(await stored()).toHaveLength(3)
  })

  it('the contract: each of `further` is taken in, and one without words refuses all', async () => {
    const further = [{ from: 'b@elsewhere.example', plain: 'Second' }]
    const json = { from: 'a@elsewhere.example', text: 'First', further }
    expect((await answerTo({ json })).action).toBe('created')
    expect(await query('select action from inbound_emails')).toHaveLength(2)
    for (const broken of [[{ from: 'c@elsewhere.example' }], ['x'], 'x', [{ text: 'x' }]])
      expect(
        (await house.ask('inbound', path, { json: { ...json, text: 'x', further: broken } })).status,
      ).toBe(422)
    expect(await query('select action from inbound_emails')).toHaveLength(2)
  })

  it('Mandrill’s files become photos, and those that Brevo keeps are named', async () => {
    const attachments = [{ filename: 'lift.jpg', bytes: await picture('jpeg', '#a01') }]
    const ofMandrill = await answerTo(mandrillPost([arrivingEmail({ attachments })]))
    expect((await house.json('manager', `/api/incidents/${ofMandrill.incidentId}`)).photos).toHaveLength(1)
    const ofBrevo = await answerTo(brevoPost([arrivingEmail({ attachments })]))
    const report = await house.json('manager', `/api/incidents/${ofBrevo.incidentId}`)
    expect(report.photos).toEqual([])
    expect(JSON.stringify(report)).toContain('lift.jpg')
  })
})

async function answerTo(asked: Asked) {
  return (await house.ask('inbound', path, asked)).json()
}

function arrives(provider: string, email: ReturnType<typeof arrivingEmail>) {
  return answerTo(providers[provider]!(email))
}

function kept() {
  return house.json('manager', '/api/admin/held-emails?state=ignored')
}

function waiting() {
  return house.json('manager', '/api/admin/held-emails')
}

const held = { action: 'ignored', reason: 'held' }

function ics(method: string) {
  return {
    filename: 'invite.ics',
    type: `text/calendar; charset="utf-8"; method=${method}`,
    bytes: Buffer.from(`BEGIN:VCALENDAR\r\nMETHOD:${method}\r\nEND:VCALENDAR\r\n`),
  }
}

function withFields(
  { body, headers }: { body: unknown; headers: Record<string, string> },
  fields: object,
): Asked {
  if (typeof body === 'string')
    return { body: JSON.stringify({ ...JSON.parse(body), ...fields }), headers } as never
  const form = body as FormData
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  return { body: form, headers } as never
}
