import type { z } from 'zod'
import type { Context } from '../../../../src/platform/http/context.js'
import {
  type Body,
  bodyReader,
  type FieldSchemas,
  isFields,
} from '../../../../src/platform/http/route/fields.js'
import type { Route } from '../../../../src/platform/http/route/route.js'
import { ValidationFailed } from '../../../../src/vocabulary/validation.js'

export type Encoding = 'urlencoded' | 'multipart' | 'json'

const place = { zone: 'Europe/London', currency: 'EUR', locale: 'en' }

/** The schema of fields, as in a building in London that counts in euros. */
export const schemaOf = (fields: FieldSchemas): z.ZodObject =>
  typeof fields === 'function' ? fields(place) : fields

/** The fields a route declares for a body of this encoding; none where it reads nothing. */
export function fieldsOf(body: Body | undefined, encoding: Encoding = 'json'): Record<string, z.ZodType> {
  if (!body) return {}
  if (isFields(body)) return schemaOf(body).shape as Record<string, z.ZodType>
  if (body.kind === 'part') return fieldsOf(body.fields)
  if (body.kind === 'jsonOrForm') return fieldsOf(encoding === 'json' ? body.json : body.form)
  return {}
}

/** What a schema reads in the end, under its defaults, options and conversions. */
function innermost(schema: z.ZodType): { type: string; entries?: Record<string, string> } {
  const { def } = schema as unknown as {
    def: {
      type: string
      innerType?: z.ZodType
      in?: z.ZodType
      out?: z.ZodType
      entries?: Record<string, string>
    }
  }
  const inner = def.innerType ?? def.in
  if (!inner) return def
  const found = innermost(inner)
  // Of what is converted before it is judged, the kind is that of the judge.
  return found.type === 'transform' && def.out ? innermost(def.out) : found
}

/** The fields of a body that take one value, each with the example's value or a plausible one. */
export function scalarsOf(body: Body | undefined, encoding: Encoding, example: object): [string, unknown][] {
  return Object.entries(fieldsOf(body, encoding)).flatMap(([name, schema]): [string, unknown][] => {
    const { type, entries } = innermost(schema)
    if (['array', 'object', 'unknown'].includes(type)) return []
    const plausible =
      type === 'number' ? 1 : type === 'boolean' ? true : (Object.values(entries ?? {})[3] ?? 'x')
    return [[name, (example as Record<string, unknown>)[name] ?? plausible]]
  })
}

type Outcome = { read: Record<string, unknown> } | { errors: Record<string, string[]> }

/** What a route makes of a JSON body before it acts. */
async function outcomeOf(body: Body, given: object): Promise<Outcome> {
  const property = { timezone: place.zone, currency: place.currency }
  const state = { locale: place.locale, building: async () => ({ property }) }
  const ctx = { request: { body: given }, is: () => false, state } as unknown as Context
  try {
    return { read: ((await bodyReader(body)(ctx)) ?? {}) as Record<string, unknown> }
  } catch (error) {
    if (error instanceof ValidationFailed) return { errors: error.fields }
    throw error
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Where null is not what decision 7.6 says: "not given" where all fields are read, and in a part it
 * empties what may be empty. A PATCH either takes any of its fields or asks for all of them.
 */
export async function nullFaults({ body, method }: Route): Promise<string[]> {
  const fields = fieldsOf(body)
  const isPart = body !== undefined && !isFields(body) && body.kind === 'part'
  const faults: string[] = []
  const mayMiss = Object.values(fields).some((field) => field.safeParse(undefined).success)
  if (method === 'patch' && !isPart && mayMiss) faults.push('PATCH has fields that may be left out')
  for (const field of Object.keys(fields)) {
    const fault = await (isPart ? nullInPart(body, field) : nullInWhole(body!, field))
    if (fault) faults.push(`${field}: ${fault}`)
  }
  return faults
}

async function nullInWhole(body: Body, field: string): Promise<string | null> {
  const [without, withNull] = [await outcomeOf(body, {}), await outcomeOf(body, { [field]: null })]
  if ('errors' in without) return same(withNull, without) ? null : `null is ${JSON.stringify(withNull)}`
  const read = 'read' in withNull ? withNull.read[field] : withNull.errors
  return same(read ?? null, without.read[field] ?? null) ? null : `null is read as ${JSON.stringify(read)}`
}

async function nullInPart(body: Body, field: string): Promise<string | null> {
  const outcome = await outcomeOf(body, { [field]: null })
  const names = Object.keys('errors' in outcome ? outcome.errors : outcome.read)
  if (!same(names, [field])) return `null concerns ${names.join()}`
  if ('errors' in outcome) return null
  const value = outcome.read[field]
  // A password cannot be read back, and empty it stays as it is, as in the form.
  const empty = [null, '', [], ...(field === 'password' ? [undefined] : [])]
  return empty.some((each) => same(each, value)) ? null : `null is read as ${JSON.stringify(value)}`
}
