import { type Format, formatFor } from '../platform/http/answer/format.js'
import { link } from '../platform/mail/links.js'
import { isLocale, type Text, texts } from '../text/index.js'
import type { AssetFact, IncidentFact } from '../vocabulary/events.js'
import type { ClosingReason, Status } from '../vocabulary/lifecycle.js'
import type { Claimed } from './deliveryQueries.js'

/**
 * What a delivery says in a chat: a heading, lines, and the page to open. All but the address is
 * text, no markup.
 */
type Message = { heading: string; lines: string[]; open: string; url: string }

type Body = { property: { name: string }; incident?: IncidentFact; asset?: AssetFact }

/** The body of a delivery in the form of its subscription, in the building's language. */
export function chatBody({ format, event, body, locale, closingReason }: ChatDelivery): string {
  if (format === 'caretaker') return body
  const message = messageOf(event, JSON.parse(body) as Body, {
    h: formatFor(isLocale(locale) ? locale : 'en', 'UTC'),
    t: texts[isLocale(locale) ? locale : 'en'],
    closingReason,
  })
  return JSON.stringify(format === 'slack' ? slackBody(message) : teamsBody(message))
}

type ChatDelivery = Pick<Claimed, 'format' | 'event' | 'body' | 'locale' | 'closingReason'>
type Words = { h: Format; t: Text; closingReason: ClosingReason | null }

function messageOf(
  event: string,
  { property, incident, asset }: Body,
  { h, t, closingReason }: Words,
): Message {
  const heading = `${property.name}: ${t.chats.event[event] ?? event}`
  const open = t.chats.open
  if (incident) {
    const { id, title, status, severity } = incident
    return {
      heading,
      lines: [
        `INC-${id}: ${title}`,
        `${h.status(status as Status, closingReason) ?? status} · ${wordOf(t.severity, severity)}`,
      ],
      open,
      url: link(`/incidents/${id}`),
    }
  }
  if (!asset) return { heading, lines: [], open, url: link('/') }
  const line = `${asset.name}: ${wordOf(t.assetStatus, asset.status)}`
  return { heading, lines: [line], open, url: link(`/assets/${asset.id}`) }
}

const wordOf = (words: Record<string, string>, name: string) => words[name] ?? name

/**
 * A Slack message of an incoming webhook: plain text blocks, in which nothing is a mention, a link
 * or an emoji.
 */
function slackBody({ heading, lines, open, url }: Message) {
  const text = (value: string) => ({ type: 'plain_text', text: slackText(value), emoji: false })
  return {
    text: slackText([heading, ...lines].join('\n')),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    blocks: [
      ...[heading, ...lines].map((value) => ({ type: 'section', text: text(value) })),
      { type: 'section', text: { type: 'mrkdwn', text: `<${slackText(url)}|${slackText(open)}>` } },
    ],
  }
}

/** Escaped as Slack asks; and a word joiner after the @ of what would call everyone. */
function slackText(text: string): string {
  return quiet(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const quiet = (text: string) => text.replace(/@(?=channel|here|everyone)/gi, '@\u2060')

/**
 * A Teams message with an Adaptive Card. Text runs, unlike text blocks, have neither Markdown nor
 * functions.
 */
function teamsBody({ heading, lines, open, url }: Message) {
  const block = (text: string, style: object) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: quiet(text), ...style }],
  })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [block(heading, { weight: 'Bolder' }), ...lines.map((line) => block(line, {}))],
          actions: [{ type: 'Action.OpenUrl', title: open, url }],
        },
      },
    ],
  }
}
