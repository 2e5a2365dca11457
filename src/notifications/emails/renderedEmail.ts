import { render, renderText } from '../../platform/http/answer/views.js'
import { link, mailHost, unsubscribeLink } from '../../platform/mail/links.js'
import { config } from '../../platform/ops/config.js'
import { assignmentTag } from '../../vocabulary/email/assignmentTag.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Email } from '../../vocabulary/email/email.js'
import { messageKey, messageNameOf } from '../../vocabulary/email/messageName.js'
import { writeAboveMark } from '../../vocabulary/email/ownEmail.js'
import type { Topic } from '../../vocabulary/notifications.js'
import type { Reader } from './reader.js'
import { style } from './style.js'

type Stop = { topic: Topic; text: string }

/** The content of a mail: `views/mail/<view>.eta`, its twin under `text/`, and the data of both. */
export type EmailContent = {
  view: string
  /** Without the [INC-…] tag; the state comes first. */
  subject: string
  given: Record<string, unknown>
  /**
   * The thread: of an incident, by which replies are routed; of an incident that is given to an assignee outside the
   * building, whose replies are for staff alone; or of a kind of email, which takes no replies.
   */
  about: { incidentId: number } | { assignment: number } | { list: string }
  /** Why the reader gets it, and what its unsubscribe link ends; null for mails an account needs. */
  why: string
  stop: Stop | null
  /** A second such link, which ends less. */
  less?: Stop
  bulk?: boolean
  /** Recipient address, when it is not the reader's own. */
  to?: string | undefined
  /** Paths of photos that go with it, reduced. */
  photos?: readonly string[]
}

/**
 * Renders both bodies, the subject and the headers for threads and autoresponders (RFC 2919, 3834, 8058). The
 * message id derives from the row, so a resent mail is recognised; the date is the event's.
 */
export function renderEmail(content: EmailContent, reader: Reader, row: OutboxMessage): Email {
  const { about } = content
  const subject = subjectOf(content)
  const root = 'incidentId' in about ? `<incident-${about.incidentId}@${mailHost()}>` : null
  return {
    to: { name: oneLine(reader.name), address: content.to ?? reader.address },
    subject,
    ...bodiesOf(content, reader, subject, row),
    messageId: `<${messageName(row)}@${mailHost()}>`,
    date: row.createdAt,
    replyTo: 'list' in about ? null : config.mail.inboundAddress,
    inReplyTo: root,
    ...(content.photos ? { photos: content.photos } : {}),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(content.bulk ? { Precedence: 'bulk' } : {}),
      'List-Id': `<${listOf(about)}.${mailHost()}>`,
      ...(content.stop
        ? {
            'List-Unsubscribe': `<${unsubscribeLink(reader.who, content.stop.topic)}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }
        : {}),
    },
  }
}

/** The row's message id, always the same. */
export function messageName(
  row: Pick<OutboxMessage, 'id' | 'createdAt' | 'incidentId' | 'contactId'>,
): string {
  return messageNameOf(messageKey(config.sessionSecret), row)
}

/** Characters; mail programs and some servers cut longer subjects. */
const longestSubject = 150

function subjectOf({ about, subject }: EmailContent): string {
  return shortened(oneLine(tagOf(about) + subject), longestSubject)
}

/**
 * Whether a reply may bring this email back, so that it begins with the line it is cut at (decision 7.5). What is about no
 * incident has no Reply-To, but some people answer to From; the emails of an account say nothing that is hidden.
 */
const mayComeBack = ({ about, view }: EmailContent) =>
  config.mail.inboundAddress !== null && (!('list' in about) || view !== 'account')

function tagOf(about: EmailContent['about']): string {
  if ('incidentId' in about) return `[INC-${about.incidentId}] `
  return 'assignment' in about
    ? `[${assignmentTag(messageKey(config.sessionSecret), about.assignment)}] `
    : ''
}

function listOf(about: EmailContent['about']): string {
  if ('list' in about) return about.list
  return 'assignment' in about ? 'assignments' : `incident-${about.incidentId}`
}

function bodiesOf(content: EmailContent, reader: Reader, subject: string, row: OutboxMessage) {
  const { view, given, why, stop, less, about } = content
  const { t, h, locale, property } = reader
  const all = {
    t,
    h,
    locale,
    property,
    subject,
    s: style,
    writeAbove: mayComeBack(content)
      ? { text: t.mails.writeAbove, mark: writeAboveMark, token: messageName(row) }
      : null,
    link,
    why,
    home: link('/'),
    stops: stop
      ? [...[less ?? [], stop, { topic: 'all' as const, text: t.mails.stop.all }].flat()].map(
          ({ topic, text }) => ({ href: unsubscribeLink(reader.who, topic), text }),
        )
      : [],
    reply:
      config.mail.inboundAddress && !('list' in about)
        ? t.mails['incidentId' in about ? 'reply' : 'replyToOffice']
        : null,
    ...given,
  }
  return {
    html: render(`mail/${view}`, all),
    text: `${renderText(`mail/text/${view}`, all)
      .replace(/\n{3,}/g, '\n\n')
      .trim()}\n`,
  }
}

/** Line breaks would start another header, direction marks would reverse the rest of a line (CWE-93). */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** At most `most` characters, ending in an ellipsis when cut. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
