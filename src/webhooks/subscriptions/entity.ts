import { z } from 'zod'
import {
  flagColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  word,
} from '../../platform/db/columnKinds.js'
import type { Knex } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'
import { entity } from '../../platform/http/records/entity.js'
import type { ColumnsOf } from '../../platform/http/records/entityTypes.js'
import { options } from '../../platform/http/records/sharedFields.js'
import { bodyFormats, type EventName, eventNames } from '../../vocabulary/events.js'
import { flag, oneOf, trimmedText } from '../../vocabulary/inputRules.js'
import { limits } from '../../vocabulary/limits.js'
import { outcomeText } from '../outcomeText.js'

const bullets = '••••'
/** From this length on a masked secret shows its end, so that people can tell two apart. */
const hintLength = 16

/** How a webhook's signing secret is shown after its creation (decision 4.8). */
export function maskedSecret(secret: string): string {
  return secret.length < hintLength ? bullets : bullets + secret.slice(-4)
}

/** Whether the text is a masked secret sent back instead of a new one (decision 6.11). */
export function isMask(text: string): boolean {
  return text.startsWith(bullets) && text.length <= bullets.length + 4
}

/** Unchanged to the character: a trailing space is part of the key. */
export const secretInput = z
  .string('not_text')
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => text.trim() !== '', 'secret_required')
  .refine((text) => [...text].length <= limits.webhookSecret, 'secret_too_long')

/** What staff set besides the secret, whose rules differ between creation, change and form. */
export const subscriptionInput = z.object({
  url: trimmedText('url', limits.webhookUrl).meta({ format: 'uri' }),
  // The specification takes any subset, also none: such a subscription gets tests alone. A form
  // without a selected event sends no field, and is asked for one.
  events: z
    .array(oneOf('events', eventNames), {
      error: ({ input: value }) => (value === undefined ? 'events_required' : 'events_unknown'),
    })
    .transform((events) => [...new Set(events)]),
  format: oneOf('format', bodyFormats).optional(),
  active: flag('active').default(true),
})
const input = subscriptionInput.shape

const eventsJson = z.array(z.enum(eventNames))
const eventsColumn = { json: eventsJson, present: (events: EventName[]) => events }
/** Only the answer that makes a secret shows it (decision 4.8). */
const secretColumn = {
  json: z.string().nullable(),
  present: (secret: string): string | null => maskedSecret(secret),
}

/**
 * A webhook subscription (spec §2). `lastStatus` and `lastFiredAt` are of its newest
 * delivery, stored with the outcome.
 */
export const subscriptionEntity = entity({
  name: 'webhook_subscription',
  json: { office: 'Webhook' },
  from: 'webhook_subscriptions r',
  search: 'r.url',
  filters: { active: 'r.active = $' },
  fields: {
    id: { column: idColumn },
    url: {
      column: textColumn,
      input: input.url,
      form: { control: 'url', maxlength: limits.webhookUrl },
      sort: { name: 'url', by: 'lower(r.url)', type: 'text' },
      list: true,
    },
    events: {
      column: eventsColumn,
      input: input.events,
      form: {
        control: 'checks',
        options: ({ state }) => options(eventNames, (event) => state.text.webhookPages.event[event]),
      },
      list: { cell: ({ events }: { events: EventName[] }) => events.join(', ') },
    },
    format: {
      column: word(bodyFormats),
      input: input.format,
      form: {
        control: 'select',
        options: ({ state }) => options(bodyFormats, (format) => state.text.webhookPages.format[format]),
      },
    },
    secret: { column: secretColumn, form: { control: 'secret', maxlength: limits.webhookSecret } },
    active: {
      column: flagColumn,
      input: input.active,
      form: { control: 'flag' },
      list: { cell: ({ active }: { active: boolean }, { t }) => (active ? t.records.yes : t.records.no) },
    },
    lastStatus: {
      column: orNull(textColumn),
      list: {
        cell: ({ lastStatus }: { lastStatus: string | null }, { t }) =>
          lastStatus && outcomeText(t, lastStatus),
      },
    },
    lastFiredAt: {
      column: orNull(instantColumn),
      sort: { name: 'fired', by: `coalesce(r.last_fired_at, '-infinity')`, type: 'timestamptz' },
      list: {
        cell: ({ lastFiredAt }: { lastFiredAt: Date | null }, { t, h }) =>
          lastFiredAt ? h.when(lastFiredAt.toISOString()) : t.webhookPages.never,
      },
    },
  },
})

export const { json: WebhookJson, present: presentSubscription } = subscriptionEntity.records

/** A row of `webhook_subscriptions`. */
export class WebhookSubscription extends rowOf<ColumnsOf<typeof subscriptionEntity>>() {
  static override tableName = 'webhook_subscriptions'

  declare createdAt: Date

  /** Null when there is none. */
  static async find(id: number): Promise<WebhookSubscription | null> {
    return (await WebhookSubscription.query().findById(id)) ?? null
  }

  /**
   * The row, locked against other writers but not against new deliveries. Null when there is none.
   */
  static async locked(trx: Knex, id: number): Promise<WebhookSubscription | null> {
    return (await WebhookSubscription.query(trx).findById(id).forNoKeyUpdate()) ?? null
  }
}
