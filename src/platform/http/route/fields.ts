import { z } from 'zod'
import type { Context } from '../context.js'
import { input, subset } from '../request/input.js'
import { isForm } from '../request/parsedBody.js'
import { queryOf } from '../request/query.js'

/** What a schema may depend on: zone for local times, currency and language for typed money. */
export type InputPlace = { zone: string; currency: string; locale: string }

/** A body's or query's fields: a schema, or what makes one for the building and the reader. */
export type FieldSchemas = z.ZodObject | ((place: InputPlace) => z.ZodObject)

/** Any subset of the fields, without their defaults (PATCH, and the office's forms). */
export const partial = <F extends FieldSchemas>(fields: F) => ({ kind: 'part', fields }) as const
/** Other fields in JSON than in a form. */
export const jsonOrForm = <J extends FieldSchemas, F extends FieldSchemas>(json: J, form: F) =>
  ({ kind: 'jsonOrForm', json, form }) as const
/** The body is read for its form token only; none of it is a field. */
export const emptyBody = { kind: 'noFields' } as const
/**
 * The body is not looked at, whatever its type: schedulers send what theirs is, and mail programs
 * unsubscribe a person with one press (RFC 8058). It needs no form token, as no cookie counts.
 */
export const rawBody = { kind: 'unread' } as const

/** What a write reads of its body. */
export type Body =
  | FieldSchemas
  | { kind: 'part'; fields: FieldSchemas }
  | { kind: 'jsonOrForm'; json: FieldSchemas; form: FieldSchemas }
  | typeof emptyBody
  | typeof rawBody

type Read<F> = F extends z.ZodObject
  ? z.output<F>
  : F extends (place: InputPlace) => infer S
    ? S extends z.ZodObject
      ? z.output<S>
      : never
    : never

/** The type of a query. */
export type QueryOf<Q> = Q extends FieldSchemas ? Read<Q> : undefined
/** The type of a body. */
export type BodyOf<B> = B extends FieldSchemas
  ? Read<B>
  : B extends { kind: 'part'; fields: infer F }
    ? Partial<Read<F>>
    : B extends { kind: 'jsonOrForm'; json: infer J; form: infer F }
      ? Read<J> | Read<F>
      : undefined

type Reader = (ctx: Context) => unknown

/** Whether a request's body is read, if only for its form token. */
export function isRead(body: Body | undefined): body is Exclude<Body, typeof rawBody> {
  return body !== undefined && body !== rawBody
}

/** Whether a request has fields in its body. */
export function hasFields(body: Body | undefined): boolean {
  return isRead(body) && body !== emptyBody
}

/** Makes the reader of a body. The reader throws ValidationFailed. */
export function bodyReader(body: Body): Reader {
  if (isFields(body)) return reader(body, input)
  if (body.kind === 'part') return reader(body.fields, subset)
  if (body.kind === 'noFields' || body.kind === 'unread') return () => undefined
  const [json, form] = [reader(body.json, input), reader(body.form, input)]
  return (ctx) => (isForm(ctx) ? form(ctx) : json(ctx))
}

/** For what is the same in every building: where fields are read changes how, not what they are. */
export const samplePlace: InputPlace = { zone: 'UTC', currency: 'EUR', locale: 'en' }

/** The names of the fields that a JSON body may have; none for a body without fields. */
export function fieldNames(body: Body | undefined): string[] {
  if (body === undefined) return []
  if (typeof body === 'function') return Object.keys(body(samplePlace).shape)
  if (!('kind' in body)) return Object.keys(body.shape)
  if (body.kind === 'part') return fieldNames(body.fields)
  return body.kind === 'jsonOrForm' ? fieldNames(body.json) : []
}

/** Makes the reader of a query. The reader throws 400. */
export function queryReader(fields: FieldSchemas): Reader {
  return reader(fields, queryOf)
}

/** Whether this is a schema or makes one. */
export function isFields(body: unknown): body is FieldSchemas {
  return typeof body === 'function' || body instanceof z.ZodObject
}

const kinds = ['part', 'jsonOrForm', 'noFields', 'unread']

/** Whether this says how to read a body. */
export function isBody(body: unknown): body is Body {
  return isFields(body) || kinds.includes((body as { kind?: string } | null)?.kind ?? '')
}

function reader(fields: FieldSchemas, read: (ctx: Context, schema: z.ZodObject) => unknown): Reader {
  if (typeof fields !== 'function') return (ctx) => read(ctx, fields)
  // The building's zone and currency hardly ever change: there is about one schema per language.
  const made = new Map<string, z.ZodObject>()
  return async (ctx) => {
    const { timezone: zone, currency } = (await ctx.state.building()).property
    const { locale } = ctx.state
    const key = `${zone} ${currency} ${locale}`
    const schema = made.get(key) ?? fields({ zone, currency, locale })
    made.set(key, schema)
    return read(ctx, schema)
  }
}
