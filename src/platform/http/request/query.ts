import { z } from 'zod'
import type { Text } from '../../../text/index.js'
import { moment, storable } from '../../../vocabulary/inputRules.js'
import { maxId, parseId } from '../../../vocabulary/limits.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import { fieldProblems } from './fieldProblems.js'

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
