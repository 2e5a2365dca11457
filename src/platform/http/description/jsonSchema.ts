import { z } from 'zod'
import type { Content } from '../route/answerContent.js'
import { type FieldSchemas, samplePlace } from '../route/fields.js'

/** A schema as JSON Schema (2020-12) writes it. */
export type JsonSchema = {
  [keyword: string]: unknown
  $ref?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  format?: string
}

const schemaPrefix = '#/components/schemas/'

/** Formats that say all that zod's expression says beside them. */
const formatsThatNeedNoPattern = ['date', 'date-time', 'email', 'uuid']

/** What zod writes of a type and no rule of ours says. */
const zodDefaultBounds = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

/** One description's schemas: those with a name (`.meta({ id })`) are written once. */
export function schemas() {
  const components: Record<string, JsonSchema> = {}

  function of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, $defs, ...made } = withComponentRefs(z.toJSONSchema(schema, { ...settings, io }))
    for (const [name, each] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      if (components[name] && JSON.stringify(components[name]) !== JSON.stringify(each))
        throw new Error(`two schemas are called ${name}`)
      components[name] = each
    }
    return made
  }

  /** The fields themselves, also of a schema that has a name. */
  const whole = (schema: JsonSchema): JsonSchema =>
    schema.$ref ? components[schema.$ref.slice(schemaPrefix.length)]! : schema

  return {
    components,
    whole,
    answer: (content: Content & z.ZodType) => of(content, 'output'),
    fields: (fields: FieldSchemas) => of(objectOf(fields), 'input'),
    /** Any of the fields, and none with a default: what is not sent stays as it is. */
    partial(fields: FieldSchemas) {
      const some = of(objectOf(fields).partial(), 'input')
      for (const each of Object.values(some.properties ?? {})) delete each.default
      return some
    },
    param: (schema: z.ZodType) => of(schema, 'input'),
  }
}

/** What `schemas` returns. */
export type Schemas = ReturnType<typeof schemas>

/** The fields as one object. */
export const objectOf = (fields: FieldSchemas) =>
  typeof fields === 'function' ? fields(samplePlace) : fields

const settings = { target: 'draft-2020-12', unrepresentable: 'any', override: adjustJsonSchema } as const

type Adjusted = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }

/** Says what zod leaves out of a coerced value, and leaves out what says nothing. */
function adjustJsonSchema({ zodSchema, jsonSchema }: Adjusted): void {
  const { def } = zodSchema._zod
  if (def.type === 'pipe' && (def.in._zod.def as { coerce?: boolean }).coerce) {
    const { $schema: _, ...becomes } = z.toJSONSchema(def.out, { io: 'input' })
    Object.assign(jsonSchema, becomes)
  }
  if (formatsThatNeedNoPattern.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern
  if (zodDefaultBounds.includes(jsonSchema.maximum!)) delete jsonSchema.maximum
  if (zodDefaultBounds.includes(jsonSchema.minimum!)) delete jsonSchema.minimum
}

/** With names where the document keeps them, and without what is undefined. */
function withComponentRefs(made: object): JsonSchema {
  return JSON.parse(JSON.stringify(made).replaceAll('"$ref":"#/$defs/', `"$ref":"${schemaPrefix}`))
}
