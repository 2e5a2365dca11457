import { describe, expect, it } from 'vitest'
import { calendarAnswer, calendarMethodIn } from '../../../src/inbound/kinds/calendar.js'
import { reactionIn } from '../../../src/inbound/kinds/reactions.js'
import { emailHeaders } from '../../../src/inbound/parse/headers.js'

const file = (given: { type?: string; filename?: string; content?: string } = {}) => ({
  filename: given.filename ?? '',
  type: given.type ?? null,
  contentBase64: base64(given.content ?? ''),
  contentId: null,
  isInline: false,
  isOfAttached: false,
})
const base64 = (text: string) => Buffer.from(text).toString('base64')
const calendar = (method: string) => `BEGIN:VCALENDAR\r\nPRODID:-//x\r\nMETHOD:${method}\r\nEND:VCALENDAR\r\n`

describe('the method of a calendar', () => {
  it.each([
    ['the type of its part', [file({ type: 'text/calendar; method=REPLY' })], {}, 'reply'],
    [
      'the type of the email',
      [],
      { 'Content-Type': 'text/calendar; charset=utf-8; method="COUNTER"' },
      'counter',
    ],
    ['the file', [file({ type: 'text/calendar', content: calendar('REPLY') })], {}, 'reply'],
    ['an attached file', [file({ filename: 'invite.ics', content: calendar('REQUEST') })], {}, 'request'],
    ['an older type', [file({ type: 'application/ics', content: calendar('Reply') })], {}, 'reply'],
    [
      'a `data:` URL, in any case',
      [
        {
          ...file({ filename: 'a.ics' }),
          contentBase64: `DATA:text/calendar;base64,${base64(calendar('REPLY'))}`,
        },
      ],
      {},
      'reply',
    ],
    ['a file that is none', [file({ filename: 'door.jpg', content: calendar('REPLY') })], {}, null],
    ['a file without one', [file({ filename: 'a.ics', content: 'BEGIN:VCALENDAR' })], {}, null],
    ['no file', [], { 'Content-Type': 'multipart/mixed; boundary=x' }, null],
  ])('is read from %s', (_where, files, headers, method) => {
    expect(calendarMethodIn(files, emailHeaders(headers))).toBe(method)
  })
})

type Sent = {
  method?: string
  subject?: string
  text?: string
  html?: string
  headers?: Record<string, string>
}
const answer = ({ method, subject = 'Lift inspection', text = '', html = '', headers = {} }: Sent) =>
  calendarAnswer({ calendarMethod: method ?? null, text, html, headers: emailHeaders(headers) }, subject)

describe('an answer to an invitation', () => {
  it('is known by its calendar, whatever it says', () => {
    for (const method of ['reply', 'counter', 'declinecounter', 'refresh'])
      expect(answer({ method, text: 'See you then.' }), method).toBe(`text/calendar: ${method}`)
  })

  it('is not what a person invites to, changes or calls off', () => {
    for (const method of ['request', 'publish', 'add', 'cancel'])
      expect(answer({ method, subject: 'Accepted: x' }), method).toBeNull()
  })

  it('is known by its subject where its provider left the calendar out', () => {
    const subject = 'Accepted: Lift inspection'
    expect(answer({ subject })).toBe(`subject: ${subject}`)
    expect(answer({ subject, text: ' \n\u200b', html: '<style>p{x:y}</style><p>&nbsp;</p>' })).not.toBeNull()
    const headers = { 'Content-Class': 'urn:content-classes:calendarmessage' }
    expect(answer({ subject, text: 'Fine.', headers })).not.toBeNull()
    // A contractor may write so.
    expect(answer({ subject, text: 'We accept your order.' })).toBeNull()
    expect(answer({ subject, html: '<p>We accept your order.</p>' })).toBeNull()
    expect(answer({ subject: 'Lift' })).toBeNull()
  })
})

const reaction = (given: { text?: string; html?: string; type?: string; contentType?: string }) =>
  reactionIn({
    text: given.text ?? '',
    html: given.html ?? '',
    files: given.type === undefined ? [] : [file({ type: given.type })],
    headers: emailHeaders(given.contentType === undefined ? {} : { 'content-type': given.contentType }),
  })

describe('a reaction', () => {
  it('is looked for in bounded time', () => {
    const parts = [
      '<',
      '<img ',
      '<img alt="',
      '<style',
      '<style>',
      '<style><',
      '<br ',
      '</p',
      '“',
      '👍',
      'a ',
      '\n',
      '[',
    ]
    for (const part of parts)
      for (const given of [{ text: part.repeat(500_000) }, { html: part.repeat(500_000) }]) {
        const start = performance.now()
        reaction(given)
        expect(performance.now() - start, JSON.stringify(part)).toBeLessThan(500)
      }
  })

  it.each([
    ['Gmail, by its part', { text: 'x', type: 'text/vnd.google.email-reaction+json' }],
    ['Gmail, by its type', { contentType: 'text/vnd.google.email-reaction+json; charset="UTF-8"' }],
    ['Gmail, by its words', { text: '👍\n\nSatadru reacted via Gmail' }],
    ['Gmail, by its words', { text: '🙏 Satadru reacted via Gmail\n\nOn Fri, 27 Nov 2026 we wrote:\n> x' }],
    [
      'Gmail, by its HTML',
      { html: '<div><p>👍</p><p>Jo reacted via <a href="https://x.example">Gmail</a></p></div>' },
    ],
    [
      'Outlook',
      { text: '[like] Jo Doe reacted to your message:\n________________________________\nFrom: x' },
    ],
    ['Outlook', { html: '<div><img alt="heart" src="cid:x"> Jo Doe reacted to your message:</div><hr>' }],
    ['Outlook in German', { text: '[Gefällt mir] Jo Doe hat auf Ihre Nachricht reagiert:' }],
    ['iMessage', { text: 'Liked “The lift works again.”' }],
    ['iMessage', { text: 'Laughed at “First line\nsecond line”' }],
    ['iMessage', { text: 'Loved an image' }],
    ['iMessage', { text: 'Removed a like from “The lift works”' }],
    ['Google Messages', { text: '👍 to “The lift works again”' }],
    ['iMessage since iOS 18', { text: 'Reacted 🎉 to “The lift works again”' }],
  ])('is known of %s: %j', (_program, given) => {
    expect(reaction(given)).not.toBeNull()
  })

  it.each([
    'Jo reacted to your message: she says the door is still broken',
    'Nobody reacted to your message.',
    'Liked “The lift works again”, but it stopped this morning.',
    'I loved an image',
    'Thanks to “John”',
    'Thanks!\n\n> Liked “x”',
    'The alarm reacted via Gmail and SMS when the lift stopped, and then nobody came for an hour.',
    '',
  ])('is no sentence of a person: %s', (text) => {
    expect(reaction({ text })).toBeNull()
  })
})
