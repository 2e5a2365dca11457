import { z } from 'zod'
import { textColumn, word } from '../../platform/db/columnKinds.js'
import type { Context } from '../../platform/http/context.js'
import { options } from '../../platform/http/records/sharedFields.js'
import type { Text } from '../../text/index.js'
import { oneOf, optionalLine, trimmedText } from '../../vocabulary/inputRules.js'
import { hoursFrom, hoursPattern } from '../../vocabulary/time/openingHours.js'

/** Characters at most. */
export const lengths = {
  address: 500,
  timezone: 100,
  officePhone: 50,
  emergencyNumber: 6,
  unitNumber: 50,
  category: 100,
  code: 50,
  label: 200,
  phone: 100,
  email: 320,
  notes: 2_000,
  hours: 100,
}

/** A line of text that may be empty. */
export const optionalField = (name: keyof typeof lengths, control: 'line' | 'tel' = 'line') => ({
  column: textColumn,
  input: optionalLine(name, lengths[name]),
  form: { control, maxlength: lengths[name] },
})

/** The hours of one kind of day, as people write them; stored in one form. */
export const hoursField = {
  column: textColumn,
  reader: 'everyone',
  input: trimmedText('hours', lengths.hours, 0)
    .transform((text, context) => {
      const hours = hoursFrom(text)
      if (hours !== null && hours.length <= lengths.hours) return hours
      context.addIssue({ code: 'custom', message: 'hours_unknown' })
      return z.NEVER
    })
    .meta({ pattern: hoursPattern })
    .default(''),
  form: { control: 'line', maxlength: lengths.hours },
} as const

/** One word of a list, chosen by its label in the catalogue. */
export const choice = <const Words extends readonly [string, ...string[]]>(
  name: string,
  words: Words,
  labels: (text: Text) => Record<Words[number], string>,
) => ({
  column: word(words),
  input: oneOf(name, words),
  form: {
    control: 'select' as const,
    options: ({ state: { text } }: Context) => options(words, (each) => labels(text)[each as Words[number]]),
  },
})
