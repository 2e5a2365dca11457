import { z } from 'zod'
import { clearable, flag, line, oneOf } from '../platform/http/request/input.js'
import { bodyFormats } from '../vocabulary/bodyFormat.js'
import { eventNames } from '../vocabulary/events.js'

/** Unchanged to the character: a trailing space is part of the key. */
const secret = z
  .string('not_text')
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => text.trim() !== '', 'secret_required')
  .refine((text) => [...text].length <= 500, 'secret_too_long')

const fields = {
  url: line('url', 2000),
  events: z
    .array(oneOf('events', eventNames), {
      error: ({ input: given }) => (given === undefined ? 'events_required' : 'events_unknown'),
    })
    .transform((events) => [...new Set(events)]),
  format: oneOf('format', bodyFormats).optional(),
}

/** A webhook subscription as staff send it (spec §2); fields the service sets itself are ignored. */
export const CreateRequest = z
  .object({ ...fields, secret: secret.nullish(), active: flag('active').default(true) })
  .meta({ id: 'WebhookRequest' })
export const UpdateRequest = z
  .object({ ...fields, secret, active: flag('active') })
  .meta({ id: 'WebhookChange' })

/** The form sends every field; an empty secret means a generated one, or the present one. */
export const FormRequest = z.object({
  ...fields,
  secret: clearable(secret).transform((given) => given ?? undefined),
  active: flag('active'),
})
