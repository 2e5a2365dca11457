import { formatFor } from '../../platform/http/format/format.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import { isLocale, texts } from '../../text/index.js'
import { own } from '../../vocabulary/collections.js'
import type { AssetFact, IncidentFact } from '../../vocabulary/events.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import type { ClaimedDelivery } from './deliveryQueries.js'

/**
 * What a delivery says in a chat: a heading, lines, and the page to open. All but the address is
 * text, no markup.
 */
type Message = { heading: string; lines: string[]; open: string; url: string }

type Body = { property: { name: string }; incident?: IncidentFact; asset?: AssetFact }

/** The body of a delivery in the form of a chat, in the building's language. */
export function chatBody(format: 'slack' | 'teams', delivery: ChatDelivery): string {
  const message = messageOf(delivery)
  return JSON.stringify(format === 'slack' ? slackBody(message) : teamsBody(message))
}

type ChatDelivery = Pick<ClaimedDelivery, 'event' | 'body' | 'locale' | 'closingReason'>

function messageOf({ event, body, locale, closingReason }: ChatDelivery): Message {
  const language = isLocale(locale) ? locale : 'en'
  const t = texts[language]
  const { property, incident, asset } = JSON.parse(body) as Body
  const heading = `${property.name}: ${own(t.chats.event, event) ?? event}`
  const message = (lines: string[], path: string) => ({
    heading,
    lines,
    open: t.chats.open,
    url: pageUrl(path),
  })
  if (incident) {
    const { id, title, status, severity } = incident
    const state = formatFor(language, 'UTC').status(status as Status, closingReason) ?? status
    const lines = [`INC-${id}: ${title}`, `${state} · ${wordOf(t.severity, severity)}`]
    return message(lines, `/incidents/${id}`)
  }
  if (!asset) return message([], '/')
  return message([`${asset.name}: ${wordOf(t.assetStatus, asset.status)}`], `/assets/${asset.id}`)
}

const wordOf = (words: Record<string, string>, name: string) => words[name] ?? name

/**
 * A Slack message of an incoming webhook: plain text blocks, in which nothing is a mention, a link
 * or an emoji.
 */
function slackBody({ heading, lines, open, url }: Message) {
  const section = (value: string) => ({
    type: 'section',
    text: { type: 'plain_text', text: slackText(value), emoji: false },
  })
  return {
    text: slackText([heading, ...lines].join('\n')),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    blocks: [
      section(heading),
      ...lines.map(section),
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
