import { z } from 'zod'
import type { ApiGroup } from '../../../vocabulary/apiGroups.js'
import { limits } from '../../../vocabulary/limits.js'
import {
  isRole,
  type Permission,
  type Principal,
  permissions,
} from '../../../vocabulary/people/permissions.js'
import { isFields } from '../route/fields.js'
import { paramsIn, pathIdSchema } from '../route/params.js'
import type { Route } from '../route/route.js'
import type { JsonSchema, Schemas } from './jsonSchema.js'
import { type DescribedAnswer, type Media, responsesOf, type Shared } from './responses.js'

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

/** A part of an address, as OpenAPI writes it. */
export type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }

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
