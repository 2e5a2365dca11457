import { z } from 'zod'
import type { Context } from '../context.js'
import { isForm } from '../request/body.js'
import { input, queryOf, subset } from '../request/input.js'

/** What a schema may need to know: local times are read in the zone; money in the currency and, as typed, the language. */
export type Place = { zone: string; currency: string; locale: string }

/** Fields of a body or a query: a schema, or how to make one where it depends on the building or the reader. */
export type Fields = z.ZodObject | ((place: Place) => z.ZodObject)

/** Any subset of the fields; what is not sent is not there, whatever its default (PATCH, and the forms of the office). */
export const part = <F extends Fields>(fields: F) => ({ kind: 'part', fields }) as const
/** Other fields in JSON than in a form. */
export const jsonOrForm = <J extends Fields, F extends Fields>(json: J, form: F) =>
  ({ kind: 'jsonOrForm', json, form }) as const
/** A body is read, for its form token, and none of it is a field. */
export const noFields = { kind: 'noFields' } as const
/** No body is read at all: there is no cookie another site could misuse, and so no token to ask for. */
export const unread = { kind: 'unread' } as const

/** What a write reads of its body. */
export type Body =
  | Fields
  | { kind: 'part'; fields: Fields }
  | { kind: 'jsonOrForm'; json: Fields; form: Fields }
  | typeof noFields
  | typeof unread

type Read<F> = F extends z.ZodObject
  ? z.output<F>
  : F extends (place: Place) => infer S
    ? S extends z.ZodObject
      ? z.output<S>
      : never
    : never

/** What a handler gets of a query. */
export type QueryOf<Q> = Q extends Fields ? Read<Q> : undefined
/** What a handler gets of a body. */
export type BodyOf<B> = B extends Fields
  ? Read<B>
  : B extends { kind: 'part'; fields: infer F }
    ? Partial<Read<F>>
    : B extends { kind: 'jsonOrForm'; json: infer J; form: infer F }
      ? Read<J> | Read<F>
      : undefined

type Reader = (ctx: Context) => unknown

/** Reads the fields of a body. Throws Invalid. */
export function bodyReader(body: Body): Reader {
  if (isFields(body)) return reader(body, input)
  if (body.kind === 'part') return reader(body.fields, subset)
  if (body.kind === 'noFields' || body.kind === 'unread') return () => undefined
  const [json, form] = [reader(body.json, input), reader(body.form, input)]
  return (ctx) => (isForm(ctx) ? form(ctx) : json(ctx))
}

/** Reads the fields of a query. Throws 400. */
export function queryReader(fields: Fields): Reader {
  return reader(fields, queryOf)
}

/** Whether it is a schema, or makes one. */
export function isFields(body: unknown): body is Fields {
  return typeof body === 'function' || body instanceof z.ZodObject
}

const kinds = ['part', 'jsonOrForm', 'noFields', 'unread']

/** Whether it says how a body is read. */
export function isBody(body: unknown): body is Body {
  return isFields(body) || kinds.includes((body as { kind?: string } | null)?.kind ?? '')
}

function reader(fields: Fields, read: (ctx: Context, schema: z.ZodObject) => unknown): Reader {
  if (typeof fields !== 'function') return (ctx) => read(ctx, fields)
  const made = onceFor(fields)
  return async (ctx) => {
    const { property } = await ctx.state.building()
    return read(ctx, made(property.timezone, property.currency, ctx.state.locale))
  }
}

/** The building's zone and currency hardly ever change: the schema of the last request is nearly always this one's. */
function onceFor(make: (place: Place) => z.ZodObject) {
  const made = new Map<string, { at: string; schema: z.ZodObject }>()
  return (zone: string, currency: string, locale: string): z.ZodObject => {
    const at = `${zone} ${currency}`
    const known = made.get(locale)
    if (known?.at === at) return known.schema
    const schema = make({ zone, currency, locale })
    made.set(locale, { at, schema })
    return schema
  }
}
