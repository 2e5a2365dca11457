import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { messageName } from '../../../src/notifications/emails/renderEmail.js'
import { fanOut } from '../../../src/notifications/fanOut.js'
import { query } from '../../../src/platform/db/database.js'
import { findLink } from '../../../src/platform/links/emailLinks.js'
import { config } from '../../../src/platform/process/config.js'
import { texts } from '../../../src/text/index.js'
import type { Email, OutboxMessage } from '../../../src/vocabulary/email/delivery.js'
import { writeAboveMark } from '../../../src/vocabulary/email/ownEmail.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import type { Role } from '../../../src/vocabulary/people/permissions.js'
import { userIdOf } from '../../support/accounts.js'
import { setBuildingAddress } from '../../support/email/buildingAddress.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import type { Person } from '../../support/house/acting.js'
import type { Who } from '../../support/house/asking.js'
import { forgetChoices } from '../../support/house/choices.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { ageReports } from '../../support/house/timePassing.js'
import { emailDelivery, queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const { board } = house
beforeEach(async () => {
  setBuildingAddress()
  await emptyOutbox()
})

it('a new report names nobody who hides their name, to staff neither, and says where the name is', async () => {
  await reportByRequest('resident', { isAnonymous: true })
  const [email] = to(await emailsNow(), 'board')
  expect(email!.text).toContain('Reported by: Anonymous resident (see the full name online)')
  expect(email!.text + email!.html).not.toMatch(/Maya|Okafor/)
})

describe('a change of status', () => {
  it('says what happened then, also when more has happened since', async () => {
    const id = await reportJam('resident')
    await update('manager', id, 'acknowledged', 'Seen.')
    await update('manager', id, 'in_progress', 'Begun.')
    const emails = to(await emailsNow(), 'resident')
    expect(emails.map(stateOf)).toEqual(['Seen by the office', 'Being worked on'])
    for (const { subject } of emails) expect(subject).toBe(`Lift B stuck [INC-${id}]`)
  })

  it('quotes no more than an email has room for, and says so', async () => {
    const id = await reportJam('resident')
    await update('manager', id, 'in_progress', `${'😀'.repeat(3_000)}end`)
    const [email] = to(await emailsNow(), 'resident')
    expect(email!.text).toContain(`${'😀'.repeat(100)}`)
    expect(email!.text).toContain('…\n\nRead the rest online.')
    expect(email!.text).not.toContain('end\n')
    expect(email!.text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })
})

describe('an escalation', () => {
  it.each([
    ['medium', 'Raised to high'],
    ['critical', 'Still waiting'],
  ] as const)('of what is %s is told to followers: %s', async (severity, words) => {
    const id = await reportJam('resident', { severity })
    await ageReports(id, 30)
    await emptyOutbox()
    await house.sweep()
    const [email] = to(await emailsNow(), 'resident').filter(({ subject }) => subject.includes(`INC-${id}]`))
    expect(stateOf(email!)).toBe(words)
  })
})

describe('a merge', () => {
  it('that is undone is told to those who heard of it, but for who undid it, and to nobody else', async () => {
    const [id, target] = [
      await reportJam('resident'),
      await reportJam('board', { title: 'South lift is out' }),
    ]
    await board.follows(id)
    await emptyOutbox()
    await house.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    await emailsNow()
    await house.json('board', `/api/incidents/${id}/unmerge`, { json: {} })
    const emails = await emailsNow()
    expect(emails.map(({ to }) => to.address)).toEqual(['resident@example.com'])
    expect(stateOf(emails[0]!)).toBe('Separated again')
    expect(emails[0]!.text).toContain(`separated from INC-${target}`)
    expect(linksOf(emails[0]!)[0]).toBe(`https://building.example/incidents/${id}`)
  })

  it('that is undone before its email leaves is told to nobody', async () => {
    const [id, target] = [await reportJam('resident'), await reportJam('board')]
    await emptyOutbox()
    await house.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    await house.json('manager', `/api/incidents/${id}/unmerge`, { json: {} })
    expect(await emailsNow()).toEqual([])
  })

  it('between event and email sends readers to the survivor', async () => {
    const [id, target] = [await reportJam('resident'), await reportJam('board')]
    await emptyOutbox()
    await update('manager', id, 'in_progress')
    await house.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    const [email] = await emailsNow()
    expect(stateOf(email!)).toBe('Being worked on')
    expect(email!.text).toContain(`This report has since been merged into INC-${target}.`)
    expect(email!.text).toContain(`Open INC-${target}: https://building.example/incidents/${target}`)
  })
})

describe('every email about an incident', () => {
  it('begins with a line to write above, in text and in HTML, where it has a mark of its own', async () => {
    await reportByRequest('resident')
    await board.reads('es')
    const emails = await emailsNow()
    await board.reads('en')
    const marks = emails.map(({ html }) => load(html)('body > :first-child'))
    for (const [i, email] of emails.entries()) {
      const line = texts[email.to.address === 'board@example.com' ? 'es' : 'en'].emails.writeAbove
      expect(email.text.startsWith(`${line}\n`)).toBe(true)
      expect(marks[i]!.next().text()).toBe(line)
      expect(marks[i]!.attr('class')).toContain(writeAboveMark)
    }
    const ids = marks.map((mark) => mark.attr('id'))
    expect(new Set(ids).size).toBe(emails.length)
    expect(ids.every((id) => new RegExp(`^${writeAboveMark}-[\\w-]{27}$`).test(id!))).toBe(true)
  })

  it('is part of its thread, marked as automatic, and can be ended with one click', async () => {
    const id = await reportByRequest('resident')
    await update('manager', id, 'in_progress')
    const rows = await queryAfterFanOut<{ id: number; at: Date }>(
      `select id, created_at as at from outbox where event = 'incident.status_changed'`,
    )
    const emails = await emailsNow()
    const [first] = to(emails, 'manager')
    const toReporter = to(emails, 'resident')
    const second = toReporter.find(({ text }) => text.includes('Being worked on'))
    const receipt = toReporter.find((email) => email !== second)
    for (const { subject, inReplyTo } of [receipt!, first!])
      expect([subject, inReplyTo]).toEqual([second!.subject, second!.inReplyTo])
    const [row] = rows
    const oneClick = (email: Email) => /unsubscribe\/([\w.-]+)/.exec(email.headers['List-Unsubscribe']!)![1]!
    const token = oneClick(second!)
    expect((await findLink('unsubscribe', oneClick(receipt!)))!.data.topic).toBe('created')
    expect(second).toMatchObject({
      messageId: `<${messageName({ id: row!.id, createdAt: row!.at, incidentId: id, contactId: null })}@building.example>`,
      inReplyTo: `<incident-${id}@building.example>`,
      replyTo: 'reports@building.example',
      date: row!.at,
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        'List-Id': `<incident-${id}.building.example>`,
        'List-Unsubscribe': `<https://building.example/unsubscribe/${token}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    })
    expect(Object.keys(second!.headers)).not.toContain('Precedence')
    expect((await findLink('unsubscribe', token!))!.data.topic).toBe(`incident:${id}`)
    expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(emails.length)
  })

  it('has the same message id when it is sent again', async () => {
    await reportByRequest('resident')
    const once = await emailsNow()
    await query('update outbox set sent_at = null, next_attempt_at = now()')
    const again = await emailsNow()
    expect(again.map(({ messageId }) => messageId)).toEqual(once.map(({ messageId }) => messageId))
  })

  it('is one page of its own: language, title, headings, no picture, nothing fetched', async () => {
    await reportByRequest('resident', { title: 'A & B <b>bold</b>' })
    for (const { html, subject } of await emailsNow()) {
      const page = load(html)
      expect(html.startsWith('<!doctype html>')).toBe(true)
      expect(page('html').attr('lang')).toBe('en')
      expect(page('title').text()).toBe(subject)
      expect(page('h1').length).toBe(1)
      expect(page('h1').text()).toBe('A & B <b>bold</b>')
      expect(page('img, script, link, iframe, object, [background], [onclick]').length).toBe(0)
      expect(html).not.toMatch(/url\(|@import|src=/)
      expect(
        page('a')
          .toArray()
          .every((a) => a.attribs.href!.startsWith('https://building.example/')),
      ).toBe(true)
    }
  })

  it('speaks of localhost where nothing is configured, and asks for no answer it cannot receive', async () => {
    config.publicUrl = null
    config.email.inboundAddress = null
    const id = await reportByRequest('resident')
    const [email] = await emailsNow()
    expect(email!.text).toContain(`http://localhost:${config.port}/incidents/${id}`)
    expect(email!.messageId).toMatch(/@localhost>$/)
    expect(email!.replyTo).toBeNull()
    expect(email!.text).not.toContain('Reply to this email')
    const instead = `Replies to this email aren’t read. To answer, open the report: http://localhost:${config.port}/incidents/${id}`
    expect(email!.text.trimEnd().split('\n').at(-1)).toBe(instead)
    expect(load(email!.html)('p').last().text()).toBe(instead)
  })

  it('begins no header with a title or a name', async () => {
    await query(`update users set name = E'Eve\\r\\nBcc: v@evil.test' where email = 'board@example.com'`)
    const id = await reportByRequest('resident', { title: 'x\r\nBcc: v@evil.test \u202egnp.exe\u0007' })
    const emails = await emailsNow()
    await query(`update users set name = 'Eleanor Whitcombe' where email = 'board@example.com'`)
    expect(emails[0]!.subject).toBe(`x Bcc: v@evil.test gnp.exe [INC-${id}]`)
    expect(to(emails, 'board')[0]!.to.name).toBe('Eve Bcc: v@evil.test')
  })
})

describe('at the last moment, an email is dropped', () => {
  const deliver = emailDelivery(async () => ({ as: 'sent' }))

  it.each([
    ['its reader is not active any more', () => setAccess({ active: false }), 'no recipient'],
    ['they turned it off', () => board.wants({ 'status.mail': false }), 'not wanted'],
    ['they follow it no more', (id: number) => board.unfollows(id), 'not followed'],
  ])('when %s', async (_when, change, why) => {
    const id = await reportJam('resident')
    await board.follows(id)
    await update('manager', id, 'in_progress')
    const row = await lastRowTo('board')
    expect(await deliver(row)).toEqual({ as: 'sent' })
    await change(id)
    expect(await deliver(row)).toEqual({ as: 'dropped', why })
    await setAccess({ active: true })
    await forgetChoices()
  })

  it('when its reader was staff and is not any more', async () => {
    await reportByRequest('resident')
    await fanOut()
    await setAccess({ role: 'resident' })
    const emails = await emailsNow()
    await setAccess({ role: 'board' })
    expect(emails.map((email) => email.to.address)).not.toContain('board@example.com')
    const [row] = await query('select last_error from outbox where last_error is not null')
    expect(row).toEqual({ lastError: 'dropped: not staff' })
  })

  it('but not when it is of a kind nobody knows: that is a fault', async () => {
    await update('manager', await reportJam('resident'), 'in_progress')
    const row = await lastRowTo('resident')
    expect(await deliver({ ...row, event: 'incident.forgotten' })).toEqual({
      as: 'failed',
      why: 'unknown kind of mail',
    })
  })
})

const jam = { assetId: 7, title: 'Lift B stuck', severity: 'high' as const }

const reportJam = (who: Person, json: GivenReport = {}) => house.report({ reporter: who, ...jam, ...json })

/** People are notified of it. */
const reportByRequest = async (who: Who, json: object = {}): Promise<number> =>
  (await house.json(who, '/api/incidents', { json: { ...jam, ...json } })).id

const update = (by: Person, id: number, status: Status, body = 'We are on it.') =>
  house.person(by).sets(id, status, body, { notified: true })

/** The office sets the role or the access of the board. */
const setAccess = async (json: { role?: Role; active?: boolean }) =>
  house.json('admin', `/api/admin/users/${await userIdOf('board')}`, { method: 'PATCH', json })

/** The email about the last change of status to a person, as the outbox hands it to be sent. */
async function lastRowTo(person: Person): Promise<OutboxMessage> {
  const [row] = await queryAfterFanOut<OutboxMessage>(
    `select id, kind, event, recipient_id, email_follower_id, incident_id, payload, created_at, 1 as attempts
     from outbox where kind = 'mail' and event = 'incident.status_changed' and recipient_id = $1
     order by id desc limit 1`,
    [await userIdOf(person)],
  )
  return row!
}

const emailsNow = async () => (await takeMessages()).emails

const to = (emails: Email[], who: Who) =>
  emails.filter(({ to: { address } }) => address === `${who}@example.com`)

/** What happened, as the email and the line beside its subject begin. */
function stateOf({ text, html }: Email): string | undefined {
  const state = /^(.*): Lift B stuck$/m.exec(text)?.[1]
  expect(load(html)('body > :first-child').text()).toContain(`${state}: `)
  return state
}

const linksOf = ({ html }: Email) =>
  load(html)('a')
    .toArray()
    .map((a) => a.attribs.href!)
