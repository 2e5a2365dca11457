import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { findLink } from '../../../src/platform/links/emailLinks.js'
import type { Email } from '../../../src/vocabulary/email/delivery.js'
import { useDatabase } from '../../support/database.js'
import { eventfulWeek, quietWeek } from '../../support/email/digest.js'
import { emptyOutbox, leaveEmail, takeMessages } from '../../support/email/messages.js'
import { choicesOf, forgetChoices } from '../../support/house/choices.js'

useDatabase()
beforeEach(emptyOutbox)

describe('the digest', () => {
  it('says in its subject and first words what kind of week it was', async () => {
    const email = await emailOf('digest', eventfulWeek)
    expect(email.subject).toBe('9 – 16 Nov: Longest outage: North left lift, 10.8 hours')
    expect(email.text).toContain(
      'Longest outage: North left lift, 10.8 hours. Total: 12.3 hours. That’s 8.2 hours less than last week.\nNow: North left lift is partly working',
    )
    expect(load(email.html)('h1').text()).toBe('Your building this week: 9 – 16 Nov')
  })

  it('lists every tower and asset with the hours of both weeks, the longest first', async () => {
    const email = await emailOf('digest', eventfulWeek)
    expect(rowsOf(email)).toEqual([
      ['', 'This week', 'Last week'],
      ['North Tower, total', '12.3', '3'],
      ['North left lift', '10.8', '2'],
      ['North main entrance', '1.5', '0'],
      ['Water pumps', '0', '1'],
      ['No outages: North right lift, North stair lighting, and Bin store.'],
      ['South Tower, total', '0', '17.5'],
      ['South lift', '0', '17.5'],
      ['No outages: South main entrance.'],
    ])
    expect(email.text).toContain('North Tower, total: 12.3 / 3\n* North left lift: 10.8 / 2\n')
  })

  it('says of a quiet week that it was one', async () => {
    const { subject, text } = await emailOf('digest', quietWeek)
    expect(subject).toBe('9 – 16 Nov: No outages')
    for (const line of [
      'No outages.\nNow: Everything is working',
      'The office has seen every report.',
      'No planned work in the next 14 days.',
    ])
      expect(text).toContain(line)
  })

  it.each([
    [0, 3, 'No outages. Total last week: 3 hours.'],
    [1, 1.04, 'South lift out of service for 1 hour. That’s the same as last week.'],
    [0.5, 0, 'South lift out of service for 0.5 hours. Last week: none.'],
    [0.04, 0, 'No outages.'],
  ])('puts %d hours beside %d the week before in plain words', async (thisWeek, weekBefore, sentences) => {
    const hours = { thisWeek, weekBefore }
    const towers = [
      { name: 'South', hours, assets: [{ id: 7, name: 'South lift', status: 'operational', hours }] },
    ]
    const { text } = await emailOf('digest', { ...quietWeek, towers })
    expect(text).toContain(`${sentences}\n`)
  })

  it('is bulk email of a list of its own, part of no thread, and read as a table', async () => {
    const email = await emailOf('digest', eventfulWeek)
    expect(email).toMatchObject({
      inReplyTo: null,
      headers: {
        Precedence: 'bulk',
        'Auto-Submitted': 'auto-generated',
        'List-Id': '<digest.localhost>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    })
    const token = /unsubscribe\/([\w.-]+)>$/.exec(email.headers['List-Unsubscribe']!)![1]!
    expect((await findLink('unsubscribe', token))!.data.topic).toBe('digest')
    const $ = load(email.html)
    expect($('table[aria-label] th[scope=col]').length).toBe(2)
    expect($('table[aria-label] th[scope=row]').length).toBe(6)
    expect($('table').not('[aria-label]').not('[role=presentation]').length).toBe(0)
  })
})

describe('the sweep’s email', () => {
  const escalated = [
    { id: 12, title: 'Water stain', from: 'low', to: 'medium', where: 'Bin store' },
    { id: 13, title: 'Smoke', from: 'critical', to: 'critical', where: '' },
  ]

  it('lists what nobody answered in time', async () => {
    const email = await emailOf('sweep.report', { total: 60, escalated })
    expect(email.subject).toBe('60 reports overdue for a reply')
    expect(email.text).toContain(
      '* INC-12: Water stain\n  Low, now medium · Bin store\n  http://localhost:3000/incidents/12\n* INC-13: Smoke\n  Critical, unchanged\n',
    )
    expect(email.text).toContain('and 58 more')
    expect(load(email.html)('li').length).toBe(2)
    expect(email.headers['List-Id']).toBe('<escalations.localhost>')
  })
})

describe('emails to staff', () => {
  it.each(['digest', 'sweep.report'])('are for staff who want them: %s', async (event) => {
    await choicesOf('board').wants({ 'digest.mail': false, 'sweep.mail': false })
    await leaveEmail(
      event,
      event === 'digest' ? quietWeek : { escalated: [] },
      board,
      'admin@example.com',
      'resident@example.com',
    )
    const { emails } = await takeMessages()
    await forgetChoices()
    expect(emails.map(({ to }) => to.address)).toEqual(['admin@example.com'])
  })
})

const board = 'board@example.com'

async function emailOf(event: string, payload: unknown): Promise<Email> {
  await leaveEmail(event, payload, board)
  const email = (await takeMessages()).emails[0]!
  // Between two times stand thin spaces.
  const [text, html] = [email.text, email.html].map((body) => body.replace(/\u2009/g, ' ')) as [
    string,
    string,
  ]
  return { ...email, text, html }
}

function rowsOf({ html }: Email) {
  const $ = load(html)
  return $('table[aria-label] tr')
    .toArray()
    .map((row) =>
      $(row)
        .find('th, td')
        .toArray()
        .map((cell) => $(cell).text().trim()),
    )
}
