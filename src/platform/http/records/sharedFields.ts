import { z } from 'zod'
import { singleLine } from '../../../vocabulary/inputRules.js'
import { limits } from '../../../vocabulary/limits.js'
import { textColumn } from '../../db/columnKinds.js'
import type { Context } from '../context.js'
import type { Field } from './resource.js'

/** The version of the record a form was made from (`versionOf`); JSON may leave it out. */
export const RecordVersion = z.object({ version: z.string('not_text').nullish() })

/** The form as it was when its `Preview` named consequences: a page saves only that one. */
export const PreviewSnapshot = z.object({ previewSnapshot: z.string('not_text').optional() })

/** A position in a display order; a new record without one comes last (`displayOrder`). */
export const orderPosition = z
  .number('place_unknown')
  .int('place_unknown')
  .min(-limits.lastPosition, 'place_unknown')
  .max(limits.lastPosition, 'place_unknown')
  .optional()

/** The name of a noun: required, and the list's first order. */
export const nameField = {
  column: textColumn,
  input: singleLine('name', limits.name),
  form: { control: 'line', maxlength: limits.name },
  sort: { name: 'name', by: 'lower(r.name)', type: 'text' },
  list: true,
} as const

/** The options of a select. */
export function options<T extends string | number>(
  values: readonly T[],
  label: (value: T) => string,
): NonNullable<Field['options']> {
  return values.map((value) => ({ value: String(value), label: label(value) }))
}

/** The options of a select for a flag. */
export const yesOrNo = ({ state: { text } }: Context) =>
  options(['true', 'false'], (value) => (value === 'true' ? text.records.yes : text.records.no))
