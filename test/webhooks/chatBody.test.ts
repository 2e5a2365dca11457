import { describe, expect, it } from 'vitest'
import { chatBody } from '../../src/webhooks/sending/chatBody.js'

describe('a Slack message', () => {
  it('mentions nobody and has no markup but our own link', () => {
    const body = JSON.parse(chatMessage('slack', { incident }))
    expect(body).toMatchObject({ mrkdwn: false, parse: 'none', link_names: false })
    for (const { text } of body.blocks.slice(0, -1)) {
      expect(text).toMatchObject({ type: 'plain_text', emoji: false })
      expect(text.text).not.toMatch(/[<>]/)
    }
    expect(body.blocks.at(-1).text.text).toMatch(/^<https?:\/\/[^|>]+\/incidents\/7\|Open details>$/)
    expect(body.text).not.toMatch(/[<>]/)
    expect(body.text).not.toMatch(/@(channel|here|everyone)/)
  })
})

describe('a Teams message', () => {
  it('has what was typed in runs of text alone, where no markup is read', () => {
    const body = JSON.parse(chatMessage('teams', { incident }))
    const card = body.attachments[0].content
    for (const block of card.body) {
      expect(block.type).toBe('RichTextBlock')
      for (const run of block.inlines) expect(run.type).toBe('TextRun')
    }
    expect(card.body[1].inlines[0].text).toContain('*bold* _it_ [a](https://evil.example)')
    expect(card.msteams).toBeUndefined()
  })
})

describe.each(['slack', 'teams'] as const)('in the form of %s', (format) => {
  it('an asset’s state and a test are told, in the building’s language', () => {
    const state = texts(JSON.parse(chatMessage(format, { asset }, 'asset.status_changed', 'es'))).join('\n')
    expect(state).toContain('Fuera de servicio')
    expect(state).toMatch(/\/assets\/3/)
    expect(state).not.toMatch(/@everyone/)
    const test = texts(JSON.parse(chatMessage(format, {}, 'webhook.test'))).join('\n')
    expect(test).toContain('events will arrive here')
  })
})

/** A title with everything that chats read as more than words. */
const title =
  '<!channel> @channel @here *bold* _it_ [a](https://evil.example) :fire: & {{DATE(2020-01-01)}} <at>all</at>'
const incident = {
  id: 7,
  title,
  severity: 'high',
  status: 'open',
  slaBreached: false,
  source: 'web',
  assetId: 3,
}
const property = { id: 1, name: 'Larkspur <Court>' }
/** The body of a delivery in the form of a chat. */
const chatMessage = (format: 'slack' | 'teams', subject: object, event = 'incident.created', locale = 'en') =>
  chatBody(format, {
    closingReason: null,
    event,
    locale,
    body: JSON.stringify({ event, property, ...subject }),
  })

const asset = { id: 3, name: 'Lift <A> @everyone', category: 'lift', status: 'down' }

/** Every text in a value that is no name of a field. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(texts) : []
}
