import { z } from 'zod'
import { westernDigits } from './digits.js'
import { limits, maxId, parseId } from './limits.js'
import { hasVisible, withoutDirections } from './plainText.js'
import { instantAt } from './time/calendar.js'

/** Whether PostgreSQL can store the text: no NUL, no lone surrogate. */
export const storable = (text: string) => text.isWellFormed() && !text.includes('\0')
const lengthOf = (text: string) => [...text].length

const text = (field: string, max: number, min: number, tidy: (value: string) => string) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? `${field}_required` : 'not_text') })
    .refine(storable, 'not_storable')
    .transform((value) => (hasVisible(value) ? tidy(value) : ''))
    .refine((value) => lengthOf(value) >= min, `${field}_required`)
    .refine((value) => lengthOf(value) <= max, `${field}_too_long`)
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })

/** Trimmed text of one or more lines; `field` selects its texts in the catalogue. */
export const trimmedText = (field: string, max: number = limits.name, min = 1) =>
  text(field, max, min, (value) => value.trim())

/**
 * Trimmed text in a single line: line breaks and other controls (often pasted) become a blank. It
 * stands in sentences of ours, whose direction it does not change.
 */
export const singleLine = (field: string, max: number = limits.name, min = 1) =>
  text(field, max, min, (value) =>
    withoutDirections(value)
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
  )

/** A single line that may be missing or empty. */
export const optionalLine = (field: string, max: number) => singleLine(field, max, 0).default('')

/** Stricter than RFC 5322: only addresses that mail servers and people read the same way. */
export const addressPattern = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/u

/** An email address. A loose check of its syntax: only an email shows whether it exists. */
export const emailAddress = trimmedText('email', 320)
  // What is missing is said once, by the rule before.
  .refine((text) => text === '' || addressPattern.test(text), 'email_invalid')
  .meta({ format: 'email' })

/** An email address that may be missing or empty. */
export const optionalEmailAddress = trimmedText('email', 320, 0)
  .refine((text) => text === '' || addressPattern.test(text), 'email_invalid')
  .meta({ anyOf: [{ type: 'string', format: 'email' }, { const: '' }] })
  .default('')

/** Text that may be missing or empty. */
export const optionalText = (field: string, max: number = limits.text) =>
  trimmedText(field, max, 0).default('')

export const oneOf = <const T extends readonly [string, ...string[]]>(field: string, values: T) =>
  z.enum(values, { error: (issue) => (issue.input === undefined ? `${field}_required` : `${field}_unknown`) })

const idSchemas = new WeakSet<z.ZodType>()

/** An id in a body: a decimal 32-bit integer; in JSON also as text (decision 4.3). */
export const id = (field: string) => {
  const schema = z
    .number({ error: (issue) => (issue.input === undefined ? `${field}_required` : `${field}_unknown`) })
    .int(`${field}_unknown`)
    .min(1, `${field}_unknown`)
    .max(maxId, `${field}_unknown`)
  idSchemas.add(schema)
  return schema
}

/** An id of a list, which forms send as text, and JSON as `id`. */
export const idInList = (field: string) =>
  z.preprocess((value) => (typeof value === 'string' ? (parseId(value) ?? value) : value), id(field))

/** In a description: exactly one of these ids is sent, and the others are null or missing. */
export const exactlyOneOf = (...names: string[]) => ({
  oneOf: names.map((name) => ({
    required: [name],
    properties: Object.fromEntries(names.map((each) => [each, { type: each === name ? 'integer' : 'null' }])),
  })),
})

/**
 * In a description: at least one of these fields is sent, and neither as null nor as an empty text.
 */
export const atLeastOne = (...names: string[]) => ({
  anyOf: names.map((name) => ({
    required: [name],
    properties: { [name]: { not: { type: 'null' }, minLength: 1 } },
  })),
})

/** In a description: the list that has to name something; forms may name a single row instead. */
export const notEmpty = { minItems: 1, default: undefined }

/** Whether a schema is one that `id` made. */
export const isId = (schema: z.ZodType) => idSchemas.has(schema)

/** Takes a word of a list in any letter case. */
export const caseInsensitive = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), schema)

/** true or false; anything else is refused (decision 6.5). */
export const flag = (field: string) => z.boolean({ error: `${field}_not_boolean` })

/** A field that can be cleared: null in JSON, empty in a form. Missing, it is left unchanged. */
export const clearable = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullish())

/** An id that can be cleared, as `clearable`; a form sends it as text. */
export const clearableId = (field: string) =>
  z.preprocess(
    (value) => (value === '' ? null : typeof value === 'string' ? (parseId(value) ?? value) : value),
    id(field).nullish(),
  )

/**
 * A field of a new update that changes its incident: an empty field of a form clears what is
 * stored, such as the reason for the status. Null or missing: unchanged (decision 7.6).
 */
export const clearsStoredValue = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? null : (value ?? undefined)), schema.nullish())

/** A calendar day, YYYY-MM-DD, from 1970 on. */
export const day = (field: string) =>
  z
    .string(`${field}_unknown`)
    .overwrite(westernDigits)
    .refine(isDay, { error: `${field}_unknown`, abort: true })
    .meta({ format: 'date' })

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && existsDay(text) && text >= '1970'

/** Whether the calendar has the day, YYYY-MM-DD: a Date takes 30 February as 2 March. */
function existsDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** An instant with its offset from UTC. */
const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/
/** A time of the property's clock, without an offset. */
const localTime = /^\d{4}-\d\d-\d\dT(\d\d):(\d\d)(?::(\d\d))?$/

/** An instant: ISO 8601 with its offset; a form's local time is in the zone (decision 3.4). */
export const moment = (field: string, zone: string) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? `${field}_required` : `${field}_unknown`) })
    .transform((text, context) => {
      const at = instantFrom(westernDigits(text), zone)
      if (at && !Number.isNaN(at.getTime())) return at
      context.addIssue({ code: 'custom', message: `${field}_unknown` })
      return z.NEVER
    })
    .meta({ format: 'date-time' })

function instantFrom(text: string, zone: string): Date | null {
  if (!existsDay(text.slice(0, 10))) return null
  if (withOffset.test(text)) return new Date(text)
  const [, hour, minute, second = 0] = localTime.exec(text) ?? []
  if (!minute || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  return new Date(instantAt(zone, Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + seconds * 1000))
}
