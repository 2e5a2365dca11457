import { render, renderText } from '../../platform/http/answer/views.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import { emailHost } from '../../platform/mail/emailHost.js'
import { config } from '../../platform/process/config.js'
import { assignmentTag } from '../../vocabulary/email/assignmentTag.js'
import type { Email, OutboxMessage } from '../../vocabulary/email/delivery.js'
import { messageKey, messageNameOf } from '../../vocabulary/email/messageName.js'
import { ownAddress, writeAboveMark } from '../../vocabulary/email/ownEmail.js'
import type { Topic } from '../../vocabulary/email/unsubscribeTopics.js'
import { shorten } from '../../vocabulary/plainText.js'
import { unsubscribeLinks } from '../unsubscribe/unsubscribeLinks.js'
import { emailStyle } from './emailStyle.js'
import type { Reader } from './reader.js'

/** What a link at the foot of an email ends, and its words. */
type UnsubscribeOffer = { topic: Topic; text: string }

/** What a view shows; the fields named here are also what an inbox shows beside the subject. */
type EmailData = Record<string, unknown> & {
  state?: (Record<string, unknown> & { text: string }) | null
  quotes?: readonly (Record<string, unknown> & { text: string })[]
  leads?: readonly string[]
  lead?: string
  sentences?: string
}

/**
 * The content of an email: `views/notifications/emails/<view>.eta`, its twin under `text/`, and the
 * data of both.
 */
export type EmailContent = {
  view: string
  /** Without the [INC-…] tag, which ends it. */
  subject: string
  data: EmailData
  /**
   * The thread: of an incident, by which replies are routed; of an incident that is given to an
   * assignee outside the building, whose replies are for staff alone; or of a kind of email, which
   * takes no replies.
   */
  about: { incidentId: number } | { assignment: number } | { list: string }
  /**
   * Why the reader gets it, and what its unsubscribe link ends; null for emails an account needs.
   */
  why: string
  unsubscribe: UnsubscribeOffer | null
  /** A second such link, which ends less. */
  unsubscribeLess?: UnsubscribeOffer
  bulk?: boolean
  /** Recipient address, when it is not the reader's own. */
  to?: string | undefined
  /** Paths of photos that go with it, reduced. */
  photos?: readonly string[]
}

/**
 * Renders both bodies, the subject and the headers for threads and autoresponders (RFC 2919, 3834,
 * 8058). The message id derives from the row, so a resent email is recognised; the date is the
 * event's. Throws for a contact that could unsubscribe, whom the office writes to.
 */
export async function renderEmail(content: EmailContent, reader: Reader, row: OutboxMessage): Promise<Email> {
  const { about } = content
  const stops = await unsubscribeLinksOf(content, reader)
  const subject = subjectOf(content)
  const root = 'incidentId' in about ? `<incident-${about.incidentId}@${emailHost()}>` : null
  return {
    fromName: singleLine(reader.property.name),
    to: { name: singleLine(reader.name), address: content.to ?? reader.address },
    subject,
    ...bodiesOf(content, reader, { subject, stops }, row),
    messageId: `<${messageName(row)}@${emailHost()}>`,
    date: row.createdAt,
    replyTo: 'list' in about ? null : config.email.inboundAddress,
    inReplyTo: root,
    ...(content.photos ? { photos: content.photos } : {}),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(content.bulk ? { Precedence: 'bulk' } : {}),
      'List-Id': `<${listOf(about)}.${emailHost()}>`,
      ...(content.unsubscribe
        ? {
            'List-Unsubscribe': `<${stops.find(({ topic }) => topic === content.unsubscribe!.topic)!.href}>`,
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

/** Replies are routed by the first tag of a subject, so nothing before ours may look like one. */
function subjectOf({ about, subject }: EmailContent): string {
  const tag = tagOf(about)
  const words = singleLine(subject).replace(/\[(\s*INC\b[^\]]*)\]/gi, '$1')
  return shorten(words, longestSubject - tag.length) + tag
}

/**
 * Whether a reply may bring this email back, so that it starts with the line it is cut at (decision
 * 7.5). What is about no incident takes no replies, unless those to From come in; the emails of an
 * account say nothing that is hidden.
 */
function mayComeBack({ about, view }: EmailContent): boolean {
  const { inboundAddress, from } = config.email
  if (inboundAddress === null) return false
  return !('list' in about) || (view !== 'account' && ownAddress(from) === ownAddress(inboundAddress))
}

function tagOf(about: EmailContent['about']): string {
  if ('incidentId' in about) return ` [INC-${about.incidentId}]`
  return 'assignment' in about
    ? ` [${assignmentTag(messageKey(config.sessionSecret), about.assignment)}]`
    : ''
}

/** Characters that inboxes show of an email beside its subject. */
const longestPreview = 140

/**
 * What an inbox shows beside the subject: the state, which the subject of a thread does not say,
 * and what someone wrote, else the first sentence.
 */
function previewOf({ data, about }: EmailContent): string {
  const { state, quotes = [], leads = [], lead, sentences } = data
  const news = quotes.at(-1)?.text ?? leads[0] ?? lead ?? sentences ?? ''
  const words = state && !('list' in about) ? [state.text, news].filter(Boolean).join(': ') : news
  return shorten(singleLine(words), longestPreview)
}

function listOf(about: EmailContent['about']): string {
  if ('list' in about) return about.list
  return 'assignment' in about ? 'assignments' : `incident-${about.incidentId}`
}

type UnsubscribeLink = UnsubscribeOffer & { href: string }

/** The links that end emails to the reader: those of less first, and of all emails last. */
async function unsubscribeLinksOf(
  { unsubscribe, unsubscribeLess }: EmailContent,
  { who, t }: Reader,
): Promise<UnsubscribeLink[]> {
  if (!unsubscribe) return []
  if ('contactId' in who) throw new Error('a contact has nothing to unsubscribe from')
  const offers = [
    ...(unsubscribeLess ? [unsubscribeLess] : []),
    unsubscribe,
    { topic: 'all' as const, text: t.emails.stop.all },
  ]
  const links = await unsubscribeLinks(
    who,
    offers.map(({ topic }) => topic),
  )
  return offers.map((each) => ({ ...each, href: links.get(each.topic)! }))
}

function bodiesOf(
  content: EmailContent,
  reader: Reader,
  { subject, stops }: { subject: string; stops: UnsubscribeLink[] },
  row: OutboxMessage,
) {
  const { view, data, why, about } = content
  const { t, h, locale, property } = reader
  const viewData = {
    t,
    h,
    locale,
    property,
    subject,
    s: emailStyle,
    preview: previewOf(content),
    writeAbove: mayComeBack(content)
      ? { text: t.emails.writeAbove, mark: writeAboveMark, token: messageName(row) }
      : null,
    link: pageUrl,
    why,
    home: pageUrl('/'),
    stops: stops.map(({ href, text }) => ({ href, text })),
    reply:
      config.email.inboundAddress && !('list' in about)
        ? t.emails['incidentId' in about ? 'reply' : 'replyToOffice']
        : null,
    noReplies: config.email.inboundAddress ? null : noRepliesOf(content, reader),
    ...data,
  }
  return {
    html: render(`notifications/emails/${view}`, viewData),
    text: `${renderText(`notifications/emails/text/${view}`, viewData)
      .replace(/\n{3,}/g, '\n\n')
      .trim()}\n`,
  }
}

/** What to do instead of a reply, which no one would read. */
function noRepliesOf({ about }: EmailContent, { t }: Reader): { text: string; href: string } {
  const { report, other } = t.emails.noReplies
  if ('list' in about) return { text: other, href: pageUrl('/') }
  const id = 'incidentId' in about ? about.incidentId : about.assignment
  return { text: report, href: pageUrl(`/incidents/${id}`) }
}

/**
 * Line breaks would start another header, direction marks would reverse the rest of a line
 * (CWE-93).
 */
function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
