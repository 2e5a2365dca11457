import { render, renderText } from '../../platform/http/answer/views.js'
import { unsubscribeLinks } from '../../platform/links/emailLinks.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import { emailHost } from '../../platform/mail/emailHost.js'
import { config } from '../../platform/process/config.js'
import { assignmentTag } from '../../vocabulary/email/assignmentTag.js'
import type { Email, OutboxMessage } from '../../vocabulary/email/delivery.js'
import { messageKey, messageNameOf } from '../../vocabulary/email/messageName.js'
import { ownAddress, writeAboveMark } from '../../vocabulary/email/ownEmail.js'
import type { Topic } from '../../vocabulary/events.js'
import { shortened } from '../../vocabulary/plainText.js'
import type { Reader } from './reader.js'

const font = `font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif`
const cell = 'padding:8px 0;vertical-align:top;text-align:start'
const numeric = 'padding:8px 0 8px 14px;vertical-align:top;text-align:end;white-space:nowrap'

/**
 * Light colours as style attributes, because many mail programs drop style sheets. Dark ones are in
 * the layout's style element.
 */
const style = {
  body: `margin:0;padding:0;background:#f6f3ec;color:#1c2429;font-size:16px;line-height:1.5;${font}`,
  preview: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  writeAbove: 'padding:12px 12px 0;text-align:center;color:#566069;font-size:14px',
  frame: 'padding:20px 12px 32px',
  column: `width:100%;max-width:600px;text-align:start;font-size:16px;line-height:1.5;color:#1c2429;${font}`,
  brand: 'padding:0 8px 12px;font-weight:600;color:#566069',
  card: 'padding:26px 24px 28px;background:#fffdf8;border:1px solid #ddd6c8;border-radius:12px',
  foot: 'padding:18px 8px 0;color:#566069;font-size:14px;line-height:1.55',
  footLine: 'margin:0 0 8px',
  footLink: 'color:#566069;text-decoration:underline',
  h1: 'margin:0 0 14px;font-size:24px;line-height:1.25;font-weight:700;letter-spacing:-0.01em',
  h2: 'margin:30px 0 10px;font-size:18px;line-height:1.3;font-weight:700',
  p: 'margin:0 0 14px',
  lead: 'margin:0 0 14px;font-size:18px;line-height:1.45',
  muted: 'color:#566069',
  link: 'color:#17536b;text-decoration:underline',
  quote:
    'margin:4px 0 18px;padding:2px 0 2px 16px;border-inline-start:4px solid #ddd6c8;white-space:pre-line;overflow-wrap:anywhere',
  facts: 'width:100%;border-collapse:collapse;margin:4px 0 8px;font-size:16px',
  term: `${cell};padding-inline-end:16px;color:#566069;font-weight:400;white-space:nowrap;border-top:1px solid #ddd6c8`,
  fact: `${cell};width:100%;border-top:1px solid #ddd6c8;overflow-wrap:anywhere`,
  buttonTable: 'border-collapse:separate;margin:22px 0 0',
  buttonTableBelow: 'border-collapse:separate;margin:12px 0 0',
  buttonCell: 'border-radius:10px;background:#17536b',
  button:
    'display:inline-block;padding:13px 24px;border-radius:10px;background:#17536b;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none',
  table: 'width:100%;border-collapse:collapse;font-size:16px',
  columnHead: `${numeric};color:#566069;font-size:14px;font-weight:400;white-space:normal;vertical-align:bottom`,
  firstHead: `${cell};color:#566069;font-size:14px;font-weight:400;vertical-align:bottom`,
  group: `${cell};font-weight:700;border-top:1px solid #ddd6c8`,
  groupNumber: `${numeric};font-weight:700;border-top:1px solid #ddd6c8`,
  row: `${cell};font-weight:400;padding-top:2px`,
  number: `${numeric};padding-top:2px`,
  without: 'padding:0 0 12px;color:#566069;font-size:14px',
  bar: 'height:6px;border-radius:3px;background:#c93a2e;font-size:0;line-height:0;margin-top:4px',
  tiles: 'width:100%;border-collapse:separate;border-spacing:0;margin:0 0 4px',
  tile: 'width:33%;padding:0 8px 0 0;vertical-align:top;font-weight:400;text-align:start',
  tileNumber: 'display:block;font-size:30px;line-height:1.15;font-weight:700',
  tileBefore: 'display:block;color:#566069;font-size:14px;line-height:1.35',
  list: 'margin:0;padding:0;list-style:none',
  item: 'margin:0;padding:10px 0;border-top:1px solid #ddd6c8',
  pill: {
    operational: pill('#2b7248', '#e4f0e6'),
    maintenance: pill('#3f5c9e', '#e8ecf6'),
    degraded: pill('#8f5600', '#faefd8'),
    down: pill('#b02a20', '#fae5e1'),
  },
} as const

function pill(ink: string, paper: string): string {
  return `display:inline-block;margin:0 0 12px;padding:4px 12px;border-radius:8px;font-size:16px;font-weight:600;line-height:1.4;color:${ink};background:${paper}`
}

type Stop = { topic: Topic; text: string }

/**
 * The content of an email: `views/notifications/emails/<view>.eta`, its twin under `text/`, and the
 * data of both.
 */
export type EmailContent = {
  view: string
  /** Without the [INC-…] tag, which ends it. */
  subject: string
  given: Record<string, unknown>
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
 * Renders both bodies, the subject and the headers for threads and autoresponders (RFC 2919, 3834,
 * 8058). The message id derives from the row, so a resent email is recognised; the date is the
 * event's. Throws for a contact that could unsubscribe, whom the office writes to.
 */
export async function renderEmail(content: EmailContent, reader: Reader, row: OutboxMessage): Promise<Email> {
  const { about } = content
  const stops = await stopsOf(content, reader)
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
      ...(content.stop
        ? {
            'List-Unsubscribe': `<${stops.find(({ topic }) => topic === content.stop!.topic)!.href}>`,
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
  return shortened(words, longestSubject - tag.length) + tag
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
function previewOf({ given, about }: EmailContent): string {
  const {
    state,
    quotes = [],
    leads = [],
    lead,
    sentences,
  } = given as {
    state?: { text: string }
    quotes?: { text: string }[]
    leads?: string[]
    lead?: string
    sentences?: string
  }
  const news = quotes.at(-1)?.text ?? leads[0] ?? lead ?? sentences ?? ''
  const words = state && !('list' in about) ? [state.text, news].filter(Boolean).join(': ') : news
  return shortened(singleLine(words), longestPreview)
}

function listOf(about: EmailContent['about']): string {
  if ('list' in about) return about.list
  return 'assignment' in about ? 'assignments' : `incident-${about.incidentId}`
}

type StopLink = Stop & { href: string }

/** The links that end emails to the reader: those of less first, and of all emails last. */
async function stopsOf({ stop, less }: EmailContent, { who, t }: Reader): Promise<StopLink[]> {
  if (!stop) return []
  if ('contactId' in who) throw new Error('a contact has nothing to unsubscribe from')
  const stops = [...(less ? [less] : []), stop, { topic: 'all' as const, text: t.emails.stop.all }]
  const links = await unsubscribeLinks(
    who,
    stops.map(({ topic }) => topic),
  )
  return stops.map((each) => ({ ...each, href: links.get(each.topic)! }))
}

function bodiesOf(
  content: EmailContent,
  reader: Reader,
  { subject, stops }: { subject: string; stops: StopLink[] },
  row: OutboxMessage,
) {
  const { view, given, why, about } = content
  const { t, h, locale, property } = reader
  const all = {
    t,
    h,
    locale,
    property,
    subject,
    s: style,
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
    ...given,
  }
  return {
    html: render(`notifications/emails/${view}`, all),
    text: `${renderText(`notifications/emails/text/${view}`, all)
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
