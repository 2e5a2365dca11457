import type { z } from 'zod'
import { westernDigits } from '../../../vocabulary/digits.js'
import { isId } from '../../../vocabulary/inputRules.js'
import { parseId } from '../../../vocabulary/limits.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import type { Context } from '../context.js'
import { formatFor } from '../format/format.js'
import { fieldProblems } from './fieldProblems.js'
import { bodyOf, isForm } from './parsedBody.js'

/**
 * Reads a body through its schema; routes read bodies only this way. Throws ValidationFailed with
 * catalogue keys by field (decisions 4.1, 4.3).
 */
export function input<T extends z.ZodObject>(ctx: Context, schema: T): z.output<T> {
  const fields = withExactTimes(ctx, bodyOf(ctx))
  return parsed(schema, isForm(ctx) ? fromForm(schema, fields) : fromJson(schema, fields, () => undefined))
}

/**
 * Reads any subset of a body's fields; defaults are not filled in, and null empties a field that
 * may be empty (decision 7.6). Throws ValidationFailed.
 */
export function subset<T extends z.ZodObject>(ctx: Context, schema: T): Partial<z.output<T>> {
  const fields = withExactTimes(ctx, bodyOf(ctx))
  const some = schema.partial() as unknown as T
  const read = parsed(some, isForm(ctx) ? fromForm(some, fields) : fromJson(schema, fields, emptyOf))
  return Object.fromEntries(
    Object.entries(read).filter(
      ([name]) => sentAs(fields, name, innermost(schema.shape[name] as z.ZodType)) !== undefined,
    ),
  ) as Partial<z.output<T>>
}

/**
 * The instants that the form of a request shows without their seconds, by field: the text shown,
 * and the instant.
 */
const shownTimesOf = new WeakMap<Context, ReadonlyMap<string, { text: string; at: string }>>()

/**
 * Remembers the times of a record whose form this request sends: a time field has no seconds, and
 * one text for both passes of an hour that the clock change repeats. `zone`: the property's.
 */
export function rememberShownTimes(ctx: Context, record: object | null, zone: string): void {
  if (!record || !isForm(ctx)) return
  const { localInput } = formatFor(ctx.state.locale, zone)
  const times = Object.entries(record).flatMap(([name, value]) => {
    if (!(value instanceof Date)) return []
    const at = value.toISOString()
    return [[name, { text: localInput(at), at }] as const]
  })
  shownTimesOf.set(ctx, new Map(times))
}

/** The fields as sent, but the stored instant for each time that is sent as the form showed it. */
function withExactTimes(ctx: Context, fields: Record<string, unknown>): Record<string, unknown> {
  const shownTimes = shownTimesOf.get(ctx)
  if (!shownTimes || !isForm(ctx)) return fields
  const exact = [...shownTimes].filter(([name, { text }]) => fields[name] === text)
  return { ...fields, ...Object.fromEntries(exact.map(([name, { at }]) => [name, at])) }
}

function parsed<T extends z.ZodObject>(schema: T, fields: Record<string, unknown>): z.output<T> {
  const result = schema.safeParse(fields)
  if (result.success) return result.data
  throw new ValidationFailed(fieldProblems(result.error))
}

/**
 * The fields of a JSON body for their schemas. A null that a field does not take itself becomes
 * what `emptied` makes of it; undefined is "not given" (decision 7.6).
 */
function fromJson(
  { shape }: z.ZodObject,
  fields: Record<string, unknown>,
  emptied: (field: z.ZodType) => unknown,
): Record<string, unknown> {
  const read = Object.entries(fields).map(([name, value]) => {
    if (!Object.hasOwn(shape, name)) return [name, value]
    const field = shape[name] as z.ZodType
    const isEmptied = value === null && !field.safeParse(null).success
    return [name, isEmptied ? emptied(field) : withIds(field, value)]
  })
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}

/** Reads ids that JSON has as decimal text (decision 4.3). */
function withIds(schema: z.ZodType, value: unknown): unknown {
  if (isId(schema)) return typeof value === 'string' ? (parseId(value) ?? value) : value
  const { innerType, element } = schema.def as { innerType?: z.ZodType; element?: z.ZodType }
  if (innerType) return withIds(innerType, value)
  return element && Array.isArray(value) ? value.map((each) => withIds(element, each)) : value
}

/** What an emptied form field sends: '' or []; other kinds say themselves what null is. */
const emptyOf = (field: z.ZodType) => empty[innermost(field)] ?? null
const empty: Partial<Record<string, unknown>> = { string: '', array: [] }

/**
 * Form values are all text: converts each to the type of its schema; a value that does not fit
 * stays text for the schema to refuse. Throws ValidationFailed for `name[x]`, and for `name[]` of a
 * field that is no list.
 */
function fromForm(schema: z.ZodObject, fields: Record<string, unknown>): Record<string, unknown> {
  const kinds = Object.entries(schema.shape).map(
    ([name, field]) => [name, innermost(field as z.ZodType)] as const,
  )
  const manifold = kinds.filter(([name, kind]) =>
    Object.keys(fields).some(
      (sent) => sent.startsWith(`${name}[`) && !(kind === 'array' && sent === `${name}[]`),
    ),
  )
  if (manifold.length > 0)
    throw new ValidationFailed(Object.fromEntries(manifold.map(([name]) => [name, ['one_value']])))
  return Object.fromEntries(
    kinds.flatMap(([name, kind]) => {
      const value = sentAs(fields, name, kind)
      if (value === undefined) return []
      if (value === '' && kind !== 'string' && kind !== 'transform') return []
      return [[name, converted(kind, value)]]
    }),
  )
}

/** A field's value; undefined when it was not sent. A list is sent as `name`, `name[]` or both. */
function sentAs(fields: Record<string, unknown>, name: string, kind: string): unknown {
  const spellings = (kind === 'array' ? [name, `${name}[]`] : [name]).filter((each) =>
    Object.hasOwn(fields, each),
  )
  const values = spellings.map((each) => fields[each])
  return values.length > 1 ? values.flat() : values[0]
}

function converted(kind: string, value: unknown): unknown {
  if (kind === 'array') return [value].flat()
  const digits = kind === 'number' && typeof value === 'string' ? westernDigits(value.trim()) : ''
  if (/^-?\d+(\.\d+)?$/.test(digits)) return Number(digits)
  if (kind === 'boolean' && (value === 'true' || value === 'on')) return true
  if (kind === 'boolean' && value === 'false') return false
  return value
}

function innermost(schema: z.ZodType): string {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType; in?: z.ZodType } }
  const inner = def.innerType ?? def.in
  return inner ? innermost(inner) : def.type
}
