import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type MailKind, mailKind } from '../../src/inbound/parse/autoMail.js'
import { emailHeaders } from '../../src/inbound/parse/headers.js'
import type { IgnoreReason } from '../../src/inbound/reasons.js'

const ours = {
  addresses: ['Our building <caretaker@house.example>', 'reports@house.example'],
  host: 'house.example',
}

/** What one mark of a mail says alone: why it is ignored, that it is not answered, or nothing (a person). */
type Says = IgnoreReason | 'unanswered' | 'person'
type Headers = Record<string, string | string[]> | null

const own = 'aB-_4'.repeat(5)

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
  ...[
    ...[
      'noreply',
      'no-reply',
      'no_reply',
      'no.reply',
      'lift-noreply',
      'noreply-lift',
      'noreply+7',
      'noreply2',
    ],
    ...['do-not-reply', 'donotreply', 'dont-reply', 'not-reply', 'noresponder', 'no-responder'],
    ...[
      'nao-responda',
      'nicht-antworten',
      'ne-pas-repondre',
      'owner-lifts',
      'lifts-request',
      'lifts-bounces',
    ],
    ...['bounces+1=2', 'bounce', 'root', 'listserv', 'majordomo', 'www-data'],
  ].map((local): [string, Says] => [`${local}@x.example`, 'unanswered']),
  ['ada@noreply.x.example', 'unanswered'],
  [null, 'unanswered'],
]

const subjects: [subject: string, says: Says][] = [
  ['Lift stuck', 'person'],
  ['Automatic door is stuck', 'person'],
  ['Office light out', 'person'],
  ['Undelivered parcel in the lobby', 'person'],
  ['Automatic reply: [INC-1] Lift', 'automatic_reply'],
  ['Re: Out of office', 'automatic_reply'],
  ['Out of the Office: lift', 'automatic_reply'],
  ['Respuesta automática: ascensor', 'automatic_reply'],
  ['Fuera de la oficina', 'automatic_reply'],
  ['Abwesenheitsnotiz: Aufzug', 'automatic_reply'],
  ['Réponse automatique : ascenseur', 'automatic_reply'],
  ['Undelivered Mail Returned to Sender', 'bounce'],
  ['Undeliverable: [INC-1] Lift', 'bounce'],
  ['No se puede entregar: ascensor', 'bounce'],
  ['Mail delivery failed: returning message to sender', 'bounce'],
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
  [{ 'Return-Path': '<>' }, 'bounce'],
  [{ 'Content-Type': 'multipart/report; report-type=delivery-status' }, 'bounce'],
  [{ 'Content-Type': 'message/delivery-status' }, 'bounce'],
  [{ 'X-Failed-Recipients': 'x@y.example' }, 'bounce'],
  [{ 'AUTO-SUBMITTED': ['auto-replied; owner-email="x@y.example"'] }, 'automatic_reply'],
  [{ 'Auto-Submitted': 'auto-replied (vacation)' }, 'automatic_reply'],
  [{ 'X-Autoreply': 'yes' }, 'automatic_reply'],
  [{ 'X-Autorespond': 'away' }, 'automatic_reply'],
  [{ Precedence: 'auto_reply' }, 'automatic_reply'],
  [{ 'Auto-Submitted': 'auto-generated' }, 'unanswered'],
  [{ 'Auto-Submitted': 'auto-notified' }, 'unanswered'],
  [{ Precedence: 'bulk' }, 'unanswered'],
  [{ precedence: ['normal', 'List'] }, 'unanswered'],
  [{ Precedence: 'junk' }, 'unanswered'],
  [{ 'List-Id': '<house.googlegroups.com>' }, 'unanswered'],
  [{ 'List-Unsubscribe': '<https://x.example>' }, 'unanswered'],
  [{ 'Mailing-List': 'list house@x.example' }, 'unanswered'],
  [{ 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }, 'unanswered'],
  [{ 'X-Spam-Status': 'Yes, score=12' }, 'unanswered'],
]

/** The same rules, slowly: who wrote it comes first, a subject counts only where no header does. */
function expected(sender: Says, header: Says, subject: Says, hasHeaders: boolean): MailKind {
  const ignored = (says: Says) => says !== 'person' && says !== 'unanswered'
  const inOrder = [
    ...(sender === 'own_address' ? [sender] : []),
    ...(header === 'own_mail' ? [header] : []),
    ...(ignored(sender) ? [sender] : []),
    ...(hasHeaders ? [header] : [subject]),
  ].filter(ignored) as IgnoreReason[]
  const [reason] = inOrder
  if (reason) return { as: 'ignored', reason }
  return { as: 'taken', mayAnswer: sender === 'person' && header === 'person' }
}

describe('what becomes of a mail', () => {
  it('is decided by its sender, its headers, and its subject where it has none', () => {
    const wrong: unknown[] = []
    for (const [address, sender] of senders)
      for (const [given, header] of headers)
        for (const [subject, says] of subjects) {
          const kind = mailKind({ address, subject, messageId: null, headers: emailHeaders(given) }, ours)
          if (!isDeepStrictEqual(kind, expected(sender, header, says, given !== null)))
            wrong.push([address, given, subject, kind])
        }
    expect(wrong).toEqual([])
  })

  it('is the same when headers come as a list', () => {
    for (const [given] of headers) {
      const list = Object.entries(given ?? {}).flatMap(([name, values]) =>
        [values].flat().map((value) => ({ name: name.toUpperCase(), value })),
      )
      const [one, other] = [given, list].map((each) =>
        mailKind(
          { address: 'ada@x.example', subject: 'Lift', messageId: null, headers: emailHeaders(each) },
          ours,
        ),
      )
      expect(other, JSON.stringify(given)).toEqual(one)
    }
  })

  it('with a message id of ours is our own mail, whoever brings it', () => {
    const messageId = `<${own}aB@house.example>`
    for (const [address, says] of senders)
      expect(mailKind({ address, subject: 'Lift', messageId, headers: null }, ours)).toEqual({
        as: 'ignored',
        reason: says === 'own_address' ? says : 'own_mail',
      })
  })
})
