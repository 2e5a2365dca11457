import { createHmac } from 'node:crypto'
import { config } from '../config.js'
import type { Topic } from '../domain/accounts/notifications.js'
import type { OutboxMessage } from '../domain/mail/delivery.js'
import { messageNameLength, writeAboveMark } from '../domain/mail/ownMail.js'
import type { User } from '../models/accounts/user.js'
import { render, renderText } from '../web/answer/views.js'
import { link, mailHost, unsubscribeLink } from './links.js'
import type { Reader } from './reader.js'
import { style } from './style.js'

/** What a mail says, before it is a mail: `views/mail/<view>.eta`, its twin under `text/`, and what those print. */
export type EmailContent = {
  view: string
  /** Without the tag; the state first. */
  subject: string
  given: Record<string, unknown>
  /** The thread it belongs to: of an incident, which replies are routed by, or one of a kind of its own. */
  about: { incidentId: number } | { list: string }
  /** Why the reader gets it, and what its unsubscribe link ends; null for what the account cannot do without. */
  why: string
  stop: { topic: Topic; text: string } | null
  bulk?: boolean
  /** Where it goes instead of the reader's address. */
  to?: string | undefined
}

/** A finished mail to one person. Headers in `headers` are written as they stand. */
export type RenderedEmail = {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
  date: Date
  replyTo: string | null
  inReplyTo: string | null
  headers: Record<string, string>
}

/**
 * Both bodies, the subject, and every header that keeps machines quiet and threads together (RFC 2919, 3834, 8058). The
 * message id is made of the row, so a mail sent twice is known as one; the date is the event's, so late mails sort well.
 */
export function renderEmail(
  content: EmailContent,
  reader: Reader,
  user: User,
  row: OutboxMessage,
): RenderedEmail {
  const { about } = content
  const subject = subjectOf(content)
  const root = 'incidentId' in about ? `<incident-${about.incidentId}@${mailHost()}>` : null
  return {
    to: { name: oneLine(user.name), address: content.to ?? user.email },
    subject,
    ...bodiesOf(content, reader, subject, row),
    messageId: `<${messageName(row)}@${mailHost()}>`,
    date: row.createdAt,
    replyTo: config.mail.inboundAddress,
    inReplyTo: root,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(content.bulk ? { Precedence: 'bulk' } : {}),
      'List-Id': `<${'list' in about ? about.list : `incident-${about.incidentId}`}.${mailHost()}>`,
      ...(content.stop
        ? {
            'List-Unsubscribe': `<${unsubscribeLink(reader.id, content.stop.topic)}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }
        : {}),
    },
  }
}

/**
 * Always the same for one row, so that a mail sent twice is known as one. The row's number is not in it: numbers that run
 * on would tell how many others were told of something.
 */
export function messageName({ id, createdAt }: Pick<OutboxMessage, 'id' | 'createdAt'>): string {
  return createHmac('sha256', config.sessionSecret)
    .update(`message:${id}:${createdAt.getTime()}`)
    .digest('base64url')
    .slice(0, messageNameLength)
}

/** Longer subjects are cut by everybody's list of mails anyway, and by some servers. */
const longestSubject = 150

function subjectOf({ about, subject }: EmailContent): string {
  const tag = 'incidentId' in about ? `[INC-${about.incidentId}] ` : ''
  return shortened(oneLine(tag + subject), longestSubject)
}

function bodiesOf(content: EmailContent, reader: Reader, subject: string, row: OutboxMessage) {
  const { view, given, why, stop, about } = content
  const { t, h, locale, property } = reader
  const all = {
    t,
    h,
    locale,
    property,
    subject,
    s: style,
    writeAbove: { text: t.mails.writeAbove, mark: writeAboveMark, token: messageName(row) },
    link,
    why,
    home: link('/'),
    stops: stop
      ? [
          { href: unsubscribeLink(reader.id, stop.topic), text: stop.text },
          { href: unsubscribeLink(reader.id, 'all'), text: t.mails.stop.all },
        ]
      : [],
    reply: config.mail.inboundAddress && 'incidentId' in about ? t.mails.reply : null,
    ...given,
  }
  return {
    html: render(`mail/${view}`, all),
    text: `${renderText(`mail/text/${view}`, all)
      .replace(/\n{3,}/g, '\n\n')
      .trim()}\n`,
  }
}

/** Line breaks would begin another header, and direction marks would turn the rest of a line around (CWE-93). */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** At most so many characters, cut between characters, with a sign that something is missing. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
