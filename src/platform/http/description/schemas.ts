import { z } from 'zod'
import type { Content } from '../route/answer.js'
import type { FieldSchemas, InputPlace } from '../route/fields.js'

/** A schema as JSON Schema (2020-12) writes it. */
export type JsonSchema = {
  [keyword: string]: unknown
  $ref?: string
  properties?: Record<string, JsonSchema>
}

/**
 * Where the fields of a request stand: what a place changes of them is how they are read, not what
 * they are.
 */
const anywhere: InputPlace = { zone: 'UTC', currency: 'EUR', locale: 'en' }

const place = '#/components/schemas/'

/** Formats that say all that zod's expression says beside them. */
const known = ['date', 'date-time', 'email', 'uuid']

/** What zod writes of a type and no rule of ours says. */
const safest = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

/**
 * Schemas of one description: those with a name (`.meta({ id })`) stand under it once, and are
 * pointed at.
 */
export function schemas() {
  const named: Record<string, JsonSchema> = {}

  function of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, $defs, ...made } = inPlace(z.toJSONSchema(schema, { ...settings, io }))
    for (const [name, each] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      if (named[name] && JSON.stringify(named[name]) !== JSON.stringify(each))
        throw new Error(`two schemas are called ${name}`)
      named[name] = each
    }
    return made
  }

  /** The fields themselves, also of a schema that has a name. */
  const whole = (schema: JsonSchema): JsonSchema =>
    schema.$ref ? named[schema.$ref.slice(place.length)]! : schema

  return {
    named,
    whole,
    answer: (content: Content & z.ZodType) => of(content, 'output'),
    fields: (fields: FieldSchemas) => of(objectOf(fields), 'input'),
    /** Any of the fields, and none with a default: what is not sent stays as it is. */
    part(fields: FieldSchemas) {
      const some = of(objectOf(fields).partial(), 'input')
      for (const each of Object.values(some.properties ?? {})) delete each.default
      return some
    },
    param: (schema: z.ZodType) => of(schema, 'input'),
  }
}

export type Schemas = ReturnType<typeof schemas>

const objectOf = (fields: FieldSchemas) => (typeof fields === 'function' ? fields(anywhere) : fields)

const settings = { target: 'draft-2020-12', unrepresentable: 'any', override: corrected } as const

type Corrected = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }

/** Says what zod leaves out of a coerced value, and leaves out what says nothing. */
function corrected({ zodSchema, jsonSchema }: Corrected): void {
  const { def } = zodSchema._zod
  if (def.type === 'pipe' && (def.in._zod.def as { coerce?: boolean }).coerce) {
    const { $schema: _, ...becomes } = z.toJSONSchema(def.out, { io: 'input' })
    Object.assign(jsonSchema, becomes)
  }
  if (known.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern
  if (safest.includes(jsonSchema.maximum!)) delete jsonSchema.maximum
  if (safest.includes(jsonSchema.minimum!)) delete jsonSchema.minimum
}

/** With names where the document keeps them, and without what is undefined. */
function inPlace(made: object): JsonSchema {
  return JSON.parse(JSON.stringify(made).replaceAll('"$ref":"#/$defs/', `"$ref":"${place}`))
}
