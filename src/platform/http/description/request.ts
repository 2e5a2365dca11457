import { limits } from '../../../vocabulary/limits.js'
import { isFields } from '../route/fields.js'
import type { Route } from '../route/route.js'
import type { JsonSchema, Schemas } from './schemas.js'

/** A body by its media type. */
export type Media = Record<string, { schema: JsonSchema }>

const binary = { type: 'string', format: 'binary' }
const photoFiles: JsonSchema = {
  type: 'object',
  properties: { 'photos[]': { type: 'array', items: binary, maxItems: limits.photosPerPost } },
}
const sheetFile: JsonSchema = { type: 'object', properties: { file: binary } }

/** What a write is sent: JSON or a form of the same fields, with files as multipart; null where nothing is read. */
export function requestOf(
  { body, photos, sheet }: Route,
  schemas: Schemas,
): { required: boolean; content: Media } | null {
  if (body === null) return null
  const [json, form] = fieldsOf(body, schemas)
  if (!json || !form) return null
  const files = [...(photos ? [photoFiles] : []), ...(sheet ? [sheetFile] : [])]
  return {
    required: Array.isArray(schemas.whole(json).required),
    content: {
      'application/json': { schema: json },
      'application/x-www-form-urlencoded': { schema: form },
      ...(files.length > 0 ? { 'multipart/form-data': { schema: { allOf: [form, ...files] } } } : {}),
    },
  }
}

/** The fields in JSON and in a form; none where there are none. */
function fieldsOf(body: NonNullable<Route['body']>, schemas: Schemas): JsonSchema[] {
  if (isFields(body)) return twice(schemas.fields(body))
  if (body.kind === 'part') return twice(schemas.part(body.fields))
  if (body.kind === 'jsonOrForm') return [schemas.fields(body.json), schemas.fields(body.form)]
  return []
}

const twice = (schema: JsonSchema) => [schema, schema]
