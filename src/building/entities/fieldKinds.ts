import { textColumn, word } from '../../platform/db/columnKinds.js'
import type { Context } from '../../platform/http/context.js'
import { options } from '../../platform/http/records/sharedFields.js'
import type { Text } from '../../text/index.js'
import { oneOf, optionalText } from '../../vocabulary/inputRules.js'

/** Characters at most. */
export const lengths = {
  address: 500,
  timezone: 100,
  officePhone: 50,
  unitNumber: 50,
  category: 100,
  code: 50,
  label: 200,
  phone: 100,
  email: 320,
  notes: 2_000,
}

/** A line of text that may be empty. */
export const optionalField = (name: keyof typeof lengths, control: 'line' | 'tel' = 'line') => ({
  column: textColumn,
  input: optionalText(name, lengths[name]),
  form: { control, maxlength: lengths[name] },
})

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
