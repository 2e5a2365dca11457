import { z } from 'zod'
import type { Text } from '../../../text/index.js'
import { isId, moment, storable } from '../../../vocabulary/inputRules.js'
import { maxId, parseId } from '../../../vocabulary/limits.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import type { Context } from '../context.js'
import { formatFor } from '../format/format.js'
import { Problem } from '../problem.js'
import { bodyOf, isForm } from './parsedBody.js'
import { type FileParts, hasStrayFiles } from './uploads.js'

/**
 * Fields that mean another operation, each with the one that takes it and the name of the field
 * there: `POST /api/incidents/:id/updates (newStatus)`.
 */
export type MovedFields = Readonly<Record<string, string>>

/**
 * Throws ValidationFailed for what would be dropped although someone meant it (decision 7.6):
 * files under another name, photos that are no files, in JSON fields of another operation. What is
 * sent back as `asRead` has it changes nothing.
 */
export async function rejectMovedFields(
  ctx: Context,
  movedFields: MovedFields,
  files: FileParts,
  asRead: () => Promise<object>,
): Promise<void> {
  const entries = Object.entries(bodyOf(ctx)).filter(([, value]) => saysSomething(value))
  const movedEntries = isForm(ctx) ? [] : entries.filter(([name]) => Object.hasOwn(movedFields, name))
  const present = new Map(movedEntries.length > 0 ? Object.entries(await asRead()) : [])
  const meant = movedEntries.filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(present.get(name)),
  )
  const noFiles = files === 'photos[]' && entries.some(([name]) => name === 'photos' || name === 'photos[]')
  const field = files?.replace('[]', '') ?? ''
  const errors = {
    ...Object.fromEntries(meant.map(([name]) => [name, [`sent_elsewhere ${movedFields[name]}`]])),
    ...(noFiles || hasStrayFiles(ctx) ? { [field]: [`file_parts ${files}`] } : {}),
  }
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors)
}

/** A client that sends back what it read means nothing by what is empty in it. */
const saysSomething = (value: unknown) =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Field rules that need nothing of a request. */
export * from '../../../vocabulary/inputRules.js'

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
 * Reads the query through its schema; empty means not given. Throws 400 for invalid or repeated
 * values and text that PostgreSQL cannot store (decision 2.11).
 */
export function queryOf<T extends z.ZodObject>(ctx: Context, schema: T): z.output<T> {
  const known = (name: string) => Object.hasOwn(schema.shape, name)
  const allowed = (name: string) => ({ allowed: allowedBy(schema.shape[name] as z.ZodType) })
  for (const [name, value] of Object.entries(ctx.query)) {
    const plain = name.replace(/\[.*/s, '')
    if (known(plain) && (plain !== name || Array.isArray(value)))
      throw rejectQuery(plain, { repeated: true, ...allowed(plain) })
    if (known(name) && !storable(String(value))) throw rejectQuery(name, allowed(name))
  }
  const parameters = Object.entries(ctx.query).filter(([name, value]) => known(name) && value !== '')
  const result = schema.safeParse(Object.fromEntries(parameters))
  if (result.success) return result.data
  const name = String(result.error.issues[0]?.path[0])
  throw rejectQuery(name, { problems: fieldProblems(result.error), ...allowed(name) })
}

/** What a parameter may be: one of a few values, a whole number, or a day or time; else null. */
type Allowed = readonly string[] | { from: number; to: number } | 'time' | null

/** Read from the schema as the API description has it, so that both always say the same. */
function allowedBy(schema: z.ZodType): Allowed {
  const {
    type,
    enum: values,
    const: only,
    minimum = 0,
    maximum = maxId,
    format,
    anyOf,
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  if (type === 'boolean') return queryFlags
  if (values) return values.map(String)
  if (only !== undefined) return [String(only)]
  if (type === 'integer') return { from: minimum, to: maximum }
  return format?.startsWith('date') || anyOf ? 'time' : null
}

/**
 * 400 for a parameter of a query; the detail names it, and what it may be where that can be said.
 * `problems`: keys of the catalogue by parameter. `repeated`: it was sent more than once, or with
 * brackets.
 */
export function rejectQuery(
  name: string,
  {
    allowed = null,
    repeated = false,
    problems = { [name]: [repeated ? 'one_value' : 'not_acceptable'] },
  }: {
    allowed?: Allowed
    repeated?: boolean
    problems?: Record<string, string[]>
  } = {},
): Problem {
  return new Problem(400, 'bad_query', {
    members: { errors: problems },
    detail: ({ badQuery: say }) => {
      const sentences = [repeated ? say.repeated(name) : null, allowedInWords(say, name, allowed)]
      return sentences.filter((each) => each !== null).join(' ') || say.value(name)
    },
  })
}

function allowedInWords(say: Text['badQuery'], name: string, allowed: Allowed): string | null {
  if (allowed === null) return null
  if (allowed === 'time') return say.time(name)
  return 'from' in allowed
    ? say.number(name, allowed.from, allowed.to)
    : say.allowed(name, allowed.join(', '))
}

/** The id in a path. Throws 404 for anything that is no id (decision 4.1). */
export function pathId(ctx: Context, name = 'id'): number {
  const id = parseId(ctx.params[name])
  if (id === null) throw new Problem(404, 'not_found')
  return id
}

function fieldProblems(error: z.ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'form')
    fields[field] ??= []
    const key = /^[a-z]\w*$/.test(issue.message) ? issue.message : 'not_acceptable'
    if (!fields[field].includes(key)) fields[field].push(key)
  }
  return fields
}

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
  if (kind === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (kind === 'boolean' && (value === 'true' || value === 'on')) return true
  if (kind === 'boolean' && value === 'false') return false
  return value
}

function innermost(schema: z.ZodType): string {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType; in?: z.ZodType } }
  const inner = def.innerType ?? def.in
  return inner ? innermost(inner) : def.type
}

/** An id in a query. */
export const queryId = z
  .string('not_acceptable')
  .transform((text, context) => {
    const parsed = parseId(text)
    if (parsed !== null) return parsed
    context.addIssue({ code: 'custom', message: 'not_acceptable' })
    return z.NEVER
  })
  .meta({ type: 'integer', minimum: 1, maximum: maxId })

const queryFlags = ['true', 'false', '1', '0'] as const

/** true or false in a query; 1 and 0 are the same. */
export const queryFlag = z
  .enum(queryFlags, 'not_acceptable')
  .transform((text) => text === 'true' || text === '1')
  .meta({ type: 'boolean', enum: undefined })

const calendarDay = /^\d{4}-\d\d-\d\d$/

/** In a query: a calendar day in the property's zone, or an instant; a day as `to` is included. */
export const queryTime = (field: string, zone: string, { end = false } = {}) =>
  z
    .string('not_acceptable')
    .transform((text) =>
      calendarDay.test(text) ? { text: `${text}T00:00`, days: end ? 1 : 0 } : { text, days: 0 },
    )
    .transform(({ text, days }, context) => {
      const parsed = moment(field, zone).safeParse(days ? dayAfter(text) : text)
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: 'not_acceptable' })
      return z.NEVER
    })
    .meta({
      type: undefined,
      anyOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'date-time' },
      ],
    })

/** A day that the calendar lacks stays as it is, and is refused. */
function dayAfter(text: string): string {
  const day = new Date(`${text}Z`)
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) return text
  day.setUTCDate(day.getUTCDate() + 1)
  return day.toISOString().slice(0, 16)
}
