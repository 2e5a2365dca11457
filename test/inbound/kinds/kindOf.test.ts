import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../src/inbound/kinds/kindOf.js'
import type { ReadEmail } from '../../../src/inbound/message.js'
import { emailHeaders } from '../../../src/inbound/parse/headers.js'
import type { KindReason } from '../../../src/inbound/reasons.js'

describe('what kind an email is', () => {
  it('is decided by its sender, its headers and its subject, whatever else there is', () => {
    const wrong: unknown[] = []
    for (const [address, sender] of senders)
      for (const [given, header] of headers)
        for (const [subject, says] of subjects) {
          const kind = kindWith({ address, subject, headers: given })
          if (!isDeepStrictEqual(kind, expected(sender, header, says)))
            wrong.push([address, given, subject, kind])
        }
    expect(wrong).toEqual([])
  })

  it('is the same when headers come as a list', () => {
    for (const [given] of headers) {
      const list = Object.entries(given ?? {}).flatMap(([name, values]) =>
        [values].flat().map((value) => ({ name: name.toUpperCase(), value })),
      )
      expect(kindWith({ headers: list }), JSON.stringify(given)).toEqual(kindWith({ headers: given }))
    }
  })

  it('with a message id of ours is our own email, whoever brings it', () => {
    const messageId = `<${own}aB@house.example>`
    for (const [address, says] of senders)
      expect(kindWith({ address, email: { messageId } }).reason).toBe(
        says === 'own_address' ? says : 'own_mail',
      )
  })

  it('is a machine’s reply when a machine says that it generated an answer', () => {
    const headers = { 'Auto-Submitted': 'auto-generated' }
    for (const subject of ['Re: Lift', 'Odp: Winda', 'Lift [INC-54]', 'R: ascensore'])
      expect(kindWith({ headers, subject }).reason, subject).toBe('automatic_reply')
    // The monitor of a lift starts what it says.
    expect(kindWith({ headers, subject: 'Lift 2: alarm' })).toEqual({
      reason: null,
      mayAnswer: false,
    })
  })

  it('is a delivery report by its subject only where no header could say so', () => {
    const subject = 'Undeliverable: parcel for flat 7'
    expect(kindWith({ subject }).reason).toBe('bounce')
    expect(kindWith({ subject, headers: { Date: 'x' } }).reason).toBe('bounce')
    expect(kindWith({ subject, headers: { 'Content-Type': 'text/plain' } }).reason).toBeNull()
    expect(kindWith({ headers: { 'Return-Path': '<>' } }).reason).toBe('bounce')
    expect(kindWith({ subject: 'Automatic reply: x', headers: { 'Return-Path': '<>' } }).reason).toBe(
      'automatic_reply',
    )
    const exchange = `MicrosoftExchange${'329e71ec88ae4615bbc36ab6ce41109e'}@x.example`
    expect(kindWith({ address: exchange.toLowerCase() }).reason).toBe('bounce')
  })

  it('is a calendar’s answer, or spam where its filter says so and nothing else does', () => {
    const spam = { spamMark: 'x-spam-flag: YES' }
    const reply = { calendarMethod: 'reply' }
    expect(kindWith({ email: reply })).toEqual({ reason: 'calendar', mayAnswer: false })
    expect(kindWith({ email: { calendarMethod: 'request' } }).reason).toBeNull()
    expect(kindWith({ email: { text: 'Liked “The lift works”' } }).reason).toBe('calendar')
    expect(kindWith({ email: spam })).toEqual({ reason: 'spam', mayAnswer: false })
    expect(kindWith({ email: { ...spam, ...reply } }).reason).toBe('calendar')
    expect(kindWith({ email: spam, subject: 'Automatic reply: x' }).reason).toBe('automatic_reply')
  })

  it('names the mark that says so', () => {
    const why = (given: Partial<ReadEmail>, subject = 'Lift') =>
      kindOf({ email: anEmail(given), address: 'ada@elsewhere.example', subject }, ours).mark
    expect(why({})).toBeNull()
    expect(why({ headers: emailHeaders({ 'Auto-Submitted': 'auto-replied' }) })).toBe(
      'auto-submitted: auto-replied',
    )
    expect(why({}, 'Automatic reply: x')).toBe('subject: Automatic reply: x')
    expect(why({ spamMark: 'spam_score: 7' })).toBe('spam_score: 7')
  })
})

const ours = {
  addresses: ['Our building <caretaker@house.example>', 'reports@house.example'],
  host: 'house.example',
}

/**
 * What one mark of an email says alone: why nothing becomes of it, that it is
 * not answered, or nothing.
 */
type Says = KindReason | 'unanswered' | 'person'

type Headers = Record<string, string | string[]> | null

function anEmail(given: Partial<ReadEmail> = {}): ReadEmail {
  return {
    from: 'Ada <ada@elsewhere.example>',
    subject: '',
    text: 'The lift is stuck.',
    html: '',
    files: [],
    attachedEmails: [],
    messageId: null,
    headers: null,
    calendarMethod: null,
    spamMark: null,
    ...given,
  }
}

type Marks = { address?: string | null; subject?: string; headers?: unknown; email?: Partial<ReadEmail> }

/** The kind of an email with these marks, without the mark that says so. */
function kindWith({ address = 'ada@elsewhere.example', subject = 'Lift', headers, email }: Marks) {
  const read = anEmail({ headers: emailHeaders(headers), ...email })
  const { reason, mayAnswer } = kindOf({ email: read, address, subject }, ours)
  return { reason, mayAnswer }
}

const own = 'aB-_4'.repeat(5)

/** Mailboxes that no one reads, and those of lists and programs. */
const unanswered = [
  'noreply',
  'no-reply',
  'no_reply',
  'no.reply',
  'lift-noreply',
  'noreply-lift',
  'noreply+7',
  'noreply2',
  'do-not-reply',
  'donotreply',
  'dont-reply',
  'not-reply',
  'noresponder',
  'no-responder',
  'nao-responda',
  'nicht-antworten',
  'ne-pas-repondre',
  'owner-lifts',
  'lifts-request',
  'lifts-bounces',
  'bounces+1=2',
  'bounce',
  'root',
  'listserv',
  'majordomo',
  'www-data',
]

const senders: [address: string | null, says: Says][] = [
  ['ada@elsewhere.example', 'person'],
  ['norbert.reply@x.example', 'person'],
  ['noreen@x.example', 'person'],
  ['request@x.example', 'person'],
  ['casino.reply@x.example', 'person'],
  ['ada.postmaster@x.example', 'person'],
  ['caretaker@house.example', 'own_address'],
  ['reports+inc7@house.example', 'own_address'],
  ['mailer-daemon@mx.example', 'bounce'],
  ['mailerdaemon@mx.example', 'bounce'],
  ['postmaster@mx.example', 'bounce'],
  ...unanswered.map((local): [string, Says] => [`${local}@x.example`, 'unanswered']),
  ['ada@noreply.x.example', 'unanswered'],
  [null, 'unanswered'],
]

const subjects: [subject: string, says: Says][] = [
  ['Lift stuck', 'person'],
  ['Automatic door is stuck', 'person'],
  ['Undelivered parcel in the lobby', 'person'],
  ['Why do I get “Automatic reply: Lift”?', 'person'],
  ['Automatic reply: [INC-1] Lift', 'automatic_reply'],
  ['Re: Out of office', 'automatic_reply'],
  ['Respuesta automática: ascensor', 'automatic_reply'],
]

const headers: [headers: Headers, says: Says][] = [
  [null, 'person'],
  [{ 'Auto-Submitted': 'no' }, 'person'],
  [{ 'auto-submitted': 'No; x=y', 'Return-Path': '<ada@x.example>', Precedence: 'normal' }, 'person'],
  [{ 'X-Auto-Response-Suppress': 'None', 'X-Spam-Flag': 'NO' }, 'person'],
  [{ 'Message-ID': '<short@house.example>', 'Content-Type': 'multipart/mixed' }, 'person'],
  [{ 'Message-ID': `<${own}aB@elsewhere.example>` }, 'person'],
  [{ 'Message-ID': `<${own}aB@HOUSE.example>` }, 'own_mail'],
  [{ 'message-id': '<incident-5@house.example>' }, 'own_mail'],
  [{ 'Content-Type': 'multipart/report; report-type=delivery-status' }, 'bounce'],
  [{ 'Content-Type': 'multipart/report; report-type=feedback-report' }, 'bounce'],
  [{ 'Content-Type': 'message/delivery-status' }, 'bounce'],
  [
    { 'Content-Type': 'multipart/report; report-type="delivery-status"', 'Auto-Submitted': 'auto-replied' },
    'bounce',
  ],
  [{ 'Content-Type': 'multipart/report;\r\n\treport-type=disposition-notification' }, 'automatic_reply'],
  [{ 'X-Failed-Recipients': 'x@y.example' }, 'bounce'],
  [{ 'AUTO-SUBMITTED': ['auto-replied; owner-email="x@y.example"'] }, 'automatic_reply'],
  [{ 'Auto-Submitted': 'auto-replied (vacation)' }, 'automatic_reply'],
  [{ 'X-Autoreply': 'yes' }, 'automatic_reply'],
  [{ 'X-Autorespond': 'away' }, 'automatic_reply'],
  [{ Precedence: 'auto_reply' }, 'automatic_reply'],
  [{ 'X-Precedence': 'auto-reply' }, 'automatic_reply'],
  [{ Preference: 'auto_reply' }, 'automatic_reply'],
  [{ 'X-Auto-Reply-From': 'ada@x.example' }, 'automatic_reply'],
  [{ 'X-AutoReply': 'yes' }, 'automatic_reply'],
  [{ 'X-Autoresponder': 'x' }, 'automatic_reply'],
  [{ 'X-Auto-Response': 'x' }, 'automatic_reply'],
  [{ 'X-Autoreply': 'no' }, 'person'],
  [{ 'X-Autogenerated': 'Reply' }, 'automatic_reply'],
  [{ 'Delivered-To': 'Autoresponder' }, 'automatic_reply'],
  [{ 'Return-Path': '<>', 'Auto-Submitted': 'auto-replied' }, 'automatic_reply'],
  [{ 'Auto-Submitted': 'auto-generated', 'In-Reply-To': '<x@elsewhere.example>' }, 'automatic_reply'],
  [
    { 'Auto-Submitted': 'auto-generated', References: `<a@b.example> <${own}aB@house.example>` },
    'automatic_reply',
  ],
  [{ 'Auto-Submitted': 'auto-generated', References: '<alarm-1@lifts.example>' }, 'unanswered'],
  [{ 'Auto-Submitted': 'auto-generated', 'In-Reply-To': ' ' }, 'unanswered'],
  [{ 'In-Reply-To': `<${own}aB@house.example>` }, 'person'],
  [{ 'Auto-Submitted': 'auto-generated' }, 'unanswered'],
  [{ 'Auto-Submitted': 'auto-notified' }, 'unanswered'],
  [{ Precedence: 'bulk' }, 'unanswered'],
  [{ precedence: ['normal', 'List'] }, 'unanswered'],
  [{ Precedence: 'junk' }, 'unanswered'],
  [{ 'List-Id': '<house.googlegroups.com>' }, 'unanswered'],
  [{ 'List-Unsubscribe': '<https://x.example>' }, 'unanswered'],
  [{ 'Mailing-List': 'list house@x.example' }, 'unanswered'],
  [{ 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }, 'unanswered'],
]

/**
 * The same rules, slowly: who sent it comes first, then delivery reports, then automatic replies.
 */
function expected(sender: Says, header: Says, subject: Says) {
  const says = [sender, header, subject]
  const inOrder = ['own_address', 'own_mail', 'bounce', 'automatic_reply'] as const
  const reason = inOrder.find((each) => says.includes(each)) ?? null
  if (reason !== null) return { reason, mayAnswer: false }
  return { reason, mayAnswer: says.every((each) => each === 'person') }
}
