import { emailKinds } from '../../../src/app/emailKinds.js'
import { notifiedEvents } from '../../../src/notifications/audience.js'
import { query } from '../../../src/platform/db/database.js'
import { idle, stopOutbox } from '../../../src/platform/outbox/outbox.js'
import { bodyFormats, eventNames, testEvent } from '../../../src/vocabulary/events.js'
import type { House } from '../house/house.js'
import { type Receiver, startReceiver } from '../webhooks/receiver.js'
import { startSending } from '../webhooks/sending.js'
import { readableJson } from './json.js'
import { type Outgoing, openDelivery } from './outgoing.js'
import { steady } from './steady.js'
import { gatherAudience, storyOf } from './story.js'

/** Files by their names, of each folder. `html`: of emails. */
export type Messages = Record<'emails' | 'pushes' | 'webhooks' | 'html', Map<string, string>>

/**
 * Lets the story happen and returns what is sent: the first of each kind, step, language and kind
 * of recipient.
 */
export async function messagesOf(house: House): Promise<Messages> {
  const messages: Messages = { emails: new Map(), pushes: new Map(), webhooks: new Map(), html: new Map() }
  const delivery = await openDelivery()
  const receiver = await startReceiver()
  await gatherAudience(house)
  const subscriptions = await subscribeAll(receiver)
  startSending()
  for (const { name, act } of storyOf(house)) {
    await act()
    add(messages, name, await delivery.take())
  }
  for (const id of subscriptions) await house.json('admin', `/api/admin/webhooks/${id}/test`, { json: {} })
  await idle()
  await stopOutbox()
  for (const [file, text] of await webhookTexts(receiver)) messages.webhooks.set(file, text)
  await Promise.all([delivery.close(), receiver.stop()])
  return messages
}

function add(messages: Messages, step: string, sent: Outgoing[]): void {
  const seen = new Set<string>()
  for (const { kind, event, locale, to, text, html } of sent) {
    const key = [kind, event, locale, to].join()
    if (seen.has(key)) continue
    seen.add(key)
    const [texts, file] =
      kind === 'email' ? [messages.emails, `${event}.${locale}.txt`] : [messages.pushes, `${event}.txt`]
    texts.set(file, `${texts.get(file) ?? ''}==== ${step}, to ${article(to)}\n${steady(text).trim()}\n\n`)
    if (html) messages.html.set(`${event}.${step}.${to}.${locale}.html`, steady(html))
  }
}

const article = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** A subscription of every event for each format; returns their ids. */
async function subscribeAll(receiver: Receiver): Promise<number[]> {
  const rows = await query<{ id: number }>(
    `insert into webhook_subscriptions (url, secret, events, format)
     select $1 || format, 'receiver-secret', $2, format from unnest($3::text[]) as format returning id`,
    [receiver.url('/'), eventNames, bodyFormats],
  )
  return rows.map(({ id }) => id)
}

/** The first body of each event and format. */
async function webhookTexts({ received }: Receiver): Promise<Map<string, string>> {
  const rows = await query<{ eventId: string; event: string; format: string }>(
    `select distinct on (d.event, s.format) d.event_id, d.event, s.format
     from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id
     where s.url like 'http://127%' order by d.event, s.format, d.id`,
  )
  return new Map(
    rows.map(({ eventId, event, format }) => {
      const body = received.find(({ id }) => id === eventId)!.raw.toString()
      return [`${event}.${format}.json`, `${steady(readableJson(JSON.parse(body)))}\n`]
    }),
  )
}

/** Names of files that a kind of email, push or webhook would have, and that there are none of. */
export function missingKinds({ emails, pushes, webhooks }: Messages): string[] {
  const languages = (kind: keyof typeof emailKinds) =>
    emailKinds[kind].for === 'contact' ? ['en'] : ['en', 'es']
  const webhookEvents = [...eventNames, testEvent]
  const wanted = [
    ...(Object.keys(emailKinds) as (keyof typeof emailKinds)[]).flatMap((kind) =>
      languages(kind).map((locale) => [emails, `${kind}.${locale}.txt`] as const),
    ),
    ...Object.keys(notifiedEvents).map((event) => [pushes, `${event}.txt`] as const),
    ...webhookEvents.flatMap((event) =>
      bodyFormats.map((format) => [webhooks, `${event}.${format}.json`] as const),
    ),
  ]
  return wanted.filter(([texts, file]) => !texts.has(file)).map(([, file]) => file)
}
