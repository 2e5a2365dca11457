import { z } from 'zod'
import type { ApiGroup } from '../../../vocabulary/apiGroups.js'
import { limits } from '../../../vocabulary/limits.js'
import {
  type Permission,
  type Principal,
  permissions,
  roles,
} from '../../../vocabulary/people/permissions.js'
import type { Content } from '../route/answerContent.js'
import { type FieldSchemas, hasFields, isFields, isRead, samplePlace } from '../route/fields.js'
import { paramsIn, pathIdSchema } from '../route/params.js'
import type { Route } from '../route/route.js'

const text = { type: 'string' }

/** Headers of answers, as the document describes them; none is sent from here. */
export const headers = {
  Link: { description: 'The next page of the list, as rel="next". Not sent on the last page.', schema: text },
  Location: { description: 'The address of the new resource, or of the page to go to.', schema: text },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
}

/** Where an answer points at them. */
const linkHeader = { Link: { $ref: '#/components/headers/Link' } }
export const locationHeader = { Location: { $ref: '#/components/headers/Location' } }
export const retryAfterHeader = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

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

type Schemas = ReturnType<typeof schemas>

const objectOf = (fields: FieldSchemas) => (typeof fields === 'function' ? fields(samplePlace) : fields)

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

/** A body by its media type. */
type Media = Record<string, { schema: JsonSchema }>

const binary = { type: 'string', format: 'binary' }
const photoFiles: JsonSchema = {
  type: 'object',
  properties: { 'photos[]': { type: 'array', items: binary, maxItems: limits.photosPerPost } },
}
const sheetFile: JsonSchema = { type: 'object', properties: { file: binary } }

/** What a write is sent: JSON or a form, with files as multipart; null where nothing is read. */
function requestOf(
  { body, photos, sheet }: Route,
  schemas: Schemas,
): { required: boolean; content: Media } | null {
  if (!body) return null
  const [json, form] = fieldsOf(body, schemas)
  if (!json || !form) return null
  const files = [...(photos ? [photoFiles] : []), ...(sheet ? [sheetFile] : [])]
  return {
    required: ['required', 'oneOf', 'anyOf'].some((rule) => Object.hasOwn(schemas.whole(json), rule)),
    content: {
      'application/json': { schema: json },
      'application/x-www-form-urlencoded': { schema: form },
      ...(files.length > 0 ? { 'multipart/form-data': { schema: { allOf: [form, ...files] } } } : {}),
    },
  }
}

/** The fields in JSON and in a form; none where there are none. */
function fieldsOf(body: NonNullable<Route['body']>, schemas: Schemas): JsonSchema[] {
  if (isFields(body)) return asJsonAndForm(schemas.fields(body))
  if (body.kind === 'part') return asJsonAndForm(schemas.partial(body.fields))
  if (body.kind === 'jsonOrForm') return [schemas.fields(body.json), schemas.fields(body.form)]
  return []
}

const asJsonAndForm = (schema: JsonSchema) => [schema, schema]

export type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }
/** What several operations share, by where it stands. */
type Shared = { $ref: string }
type DescribedAnswer = { description: string; headers?: Record<string, Shared>; content?: Media }

/** One method at one address, as OpenAPI writes it. */
export type Operation = {
  operationId: string
  summary: string
  tags: [ApiGroup]
  'x-permission': Permission
  'x-field-permissions'?: Readonly<Record<string, Permission>>
  security: Record<string, []>[]
  parameters?: (Parameter | Shared)[]
  requestBody?: { required: boolean; content: Media }
  responses: Record<string, DescribedAnswer | Shared>
}

/** The problems by status: the name in the document, and what it means. All are one schema. */
export const problemResponses: Readonly<Record<number, readonly [name: string, meaning: string]>> = {
  400: ['BadRequest', 'The body cannot be read, or the address asks for something that does not exist.'],
  401: ['Unauthenticated', 'Nobody is signed in, or the key is not valid here.'],
  403: ['Forbidden', 'Not for this caller, or sent from another site.'],
  404: ['NotFound', 'There is nothing at this address.'],
  409: ['Conflict', 'It does not fit what is there now; `code` says why.'],
  413: ['TooLarge', 'The body or a file is larger than may be.'],
  415: ['UnsupportedType', 'The body or a file is of a type that is not taken.'],
  422: ['Invalid', 'Fields are not as they must be; `errors` says which.'],
  429: ['Throttled', 'Too often; Retry-After says how many seconds to wait.'],
  503: ['Unavailable', 'Something that is needed is away; Retry-After says how many seconds to wait.'],
}

/** What a route does at one of its addresses. */
export function operationOf(route: Route, path: string, schemas: Schemas): Operation {
  const parameters = [
    ...pathParameters(route, path, schemas),
    ...queryParameters(route, schemas),
    ...(route.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  const requestBody = requestOf(route, schemas)
  return {
    operationId: idOf(route.method, path),
    summary: route.summary,
    tags: [groupOf(route)],
    'x-permission': route.permission,
    ...(Object.keys(route.needs).length > 0 ? { 'x-field-permissions': route.needs } : {}),
    security: securityOf(route.permission),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(route, path, schemas),
  }
}

/** `/incidents/:id` as `/incidents/{id}`. */
export const templateOf = (path: string) => path.replace(/\{\*(\w+)\}|:(\w+)/g, '{$1$2}')

/** Throws for a route that is described and belongs to no group. */
function groupOf({ name, group }: Route): ApiGroup {
  if (!group) throw new Error(`${name} has no group for the API description`)
  return group
}

/** Unique because method and address are, and the same as long as they are. */
function idOf(method: string, path: string): string {
  const words = templateOf(path)
    .replace(/^\/api\/(v\d+\/)?/, '')
    .replaceAll(/\{(\w)/g, (_, first) => `by-${first}`)
    .split(/[^A-Za-z0-9]+/)
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

const isRole = (principal: Principal) => (roles as readonly Principal[]).includes(principal)

/** Who has a key of their own, each with a security scheme of that name. */
const keyHolders = ['mobile', 'cron', 'inbound', 'monitor'] as const

function securityOf(permission: Permission): Record<string, []>[] {
  const holders: readonly Principal[] = permissions[permission]
  return [
    ...(holders.includes('guest') ? [{}] : []),
    ...(holders.some(isRole) ? [{ session: [] as [] }] : []),
    ...keyHolders
      .filter((holder) => holders.includes(holder))
      .map((holder): Record<string, []> => ({ [holder]: [] })),
  ]
}

function pathParameters({ params }: Route, path: string, schemas: Schemas): Parameter[] {
  const wild = [...path.matchAll(/\{\*(\w+)\}/g)].map(([, name]) => [name!, z.string().min(1)] as const)
  const segments = paramsIn(path).map((name) => [name, params[name] ?? pathIdSchema] as const)
  return [...segments, ...wild].map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas.param(schema),
  }))
}

function queryParameters({ query }: Route, schemas: Schemas): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemas.whole(schemas.fields(query))
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function responsesOf(route: Route, path: string, schemas: Schemas): Record<string, DescribedAnswer | Shared> {
  const refused = refusalsOf(route, path).map(
    (status) => [status, { $ref: `#/components/responses/${problemResponses[status]![0]}` }] as const,
  )
  const answers = [...route.answers].map(([status, content]) => answerOf(route, status, content, schemas))
  const canBeUnchanged = route.method === 'get' && [...route.answers.values()].some(isJson)
  // Only a write that has an address for forms as well leads to a page.
  const hasPage = route.method !== 'get' && route.paths.some((each) => !each.startsWith('/api/'))
  return Object.fromEntries([
    ...refused,
    ...(canBeUnchanged ? [[304, { $ref: '#/components/responses/NotModified' }] as const] : []),
    ...(hasPage ? [[303, { $ref: '#/components/responses/SeeOther' }] as const] : []),
    ...answers,
  ])
}

const isJson = (content: Content) => content instanceof z.ZodType

function answerOf(
  { paged }: Route,
  status: number,
  content: Content,
  schemas: Schemas,
): readonly [number, DescribedAnswer] {
  if (!(content instanceof z.ZodType)) {
    if (content.kind !== 'file') return [204, { description: 'Done.' }]
    const files = content.types.map((type) => [type, { schema: fileOf(type) }])
    return [status, { description: 'A file.', content: Object.fromEntries(files) }]
  }
  const headers = { ...(paged ? linkHeader : {}), ...(status === 201 ? locationHeader : {}) }
  return [
    status,
    {
      description: status === 201 ? 'What was made.' : 'What was asked for.',
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      content: { 'application/json': { schema: schemas.answer(content) } },
    },
  ]
}

/** Whether the body names rows by their ids, which may be of nothing. */
function namesRows(body: Route['body']): boolean {
  const fields = body && !isFields(body) && body.kind === 'jsonOrForm' ? body.json : body
  return isFields(fields) && Object.hasOwn(objectOf(fields).shape, 'ids')
}

const fileOf = (type: string): JsonSchema =>
  type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }

/** The statuses of the problems that this route can answer with. */
function refusalsOf({ permission, query, body, idempotent, photos }: Route, path: string): number[] {
  const readsBody = isRead(body)
  const holders: readonly Principal[] = permissions[permission]
  const machines = !holders.some(isRole) && !holders.includes('guest')
  const closed = !machines && [...roles, 'mobile' as const].some((each) => !holders.includes(each))
  return [
    ...(query || readsBody ? [400] : []),
    401,
    ...(readsBody || closed ? [403] : []),
    ...(/[:*]/.test(path) || namesRows(body) ? [404] : []),
    ...(readsBody ? [409, 413, 415] : []),
    ...(hasFields(body) || idempotent || photos ? [422] : []),
    // Also where nothing is counted: a browser may send its person's password along (decision
    // 7.12).
    ...(readsBody ? [429] : []),
    503,
  ]
}
