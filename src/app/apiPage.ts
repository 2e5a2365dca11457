import { render } from '../platform/http/answer/views.js'
import type { Description } from '../platform/http/description/document.js'
import type { JsonSchema } from '../platform/http/description/jsonSchema.js'
import type { Operation, Parameter } from '../platform/http/description/operation.js'
import { type Locale, texts } from '../text/index.js'
import { type Permission, type Principal, permissions } from '../vocabulary/people/permissions.js'

/** A piece of a written type: text, or the name of a shape that stands elsewhere on the page. */
type Piece = { text: string } | { shape: string }
/** A parameter or field. `onlyFor`: who may send it, where not everyone may who uses the route. */
type Row = { name: string; type: Piece[]; required: boolean; onlyFor: readonly Principal[] | null }

/** The page's contents in each language, rendered of the description when first asked for. */
export function apiContents(description: Description): (locale: Locale) => string {
  const contents = apiPage(description)
  const rendered = new Map<Locale, string>()
  return (locale) => {
    const html = rendered.get(locale) ?? render('app/api', { t: texts[locale], ...contents })
    rendered.set(locale, html)
    return html
  }
}

/** The description as a page shows it: operations by noun, and the shapes sent and answered. */
function apiPage({ paths, tags, components }: Description) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationRow(method.toUpperCase(), path, operation, components.schemas),
    ),
  )
  return {
    nouns: tags
      .map(({ name }) => ({ name, operations: operations.filter(({ noun }) => noun === name) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    shapes: Object.entries(components.schemas)
      .map(([name, schema]) => ({ name, rows: rowsOf(schema) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

type Shapes = Record<string, JsonSchema>

function operationRow(method: string, path: string, operation: Operation, shapes: Shapes) {
  const { operationId: id, summary, tags, parameters = [], requestBody, responses } = operation
  const own = parameters.filter((each): each is Parameter => !('$ref' in each))
  const rowsIn = (place: string): Row[] =>
    own
      .filter((each) => each.in === place)
      .map(({ name, required, schema }) => ({ name, required, type: typeOf(schema), onlyFor: null }))
  const answers = Object.entries(responses)
  return {
    id,
    method,
    path,
    summary,
    noun: tags[0],
    who: permissions[operation['x-permission']],
    once: parameters.length > own.length,
    inPath: rowsIn('path'),
    inQuery: rowsIn('query'),
    fields: fieldsOf(requestBody, shapes, operation['x-field-permissions'] ?? {}),
    files: filesOf(requestBody),
    answers: answers
      .filter(([status]) => Number(status) < 300)
      .map(([status, answer]) => ({ status, types: typesOf(answer) })),
    problems: answers.map(([status]) => status).filter((status) => Number(status) >= 400),
  }
}

const files = 'multipart/form-data'

function fieldsOf(
  body: Operation['requestBody'],
  shapes: Shapes,
  needs: Readonly<Record<string, Permission>>,
): Row[] {
  const schema = body?.content['application/json']?.schema
  if (!schema) return []
  const whole = schema.$ref ? shapes[schema.$ref.split('/').at(-1)!]! : schema
  return rowsOf(whole).map((row) => ({
    ...row,
    onlyFor: needs[row.name] ? permissions[needs[row.name]!] : null,
  }))
}

/** The files a multipart form may bring along. */
function filesOf(body: Operation['requestBody']): Row[] {
  const parts = body?.content[files]?.schema.allOf ?? []
  return parts.slice(1).flatMap(rowsOf)
}

/** The type of each kind of answer; none where there is nothing to tell. */
function typesOf(answer: Operation['responses'][string]): Piece[][] {
  const content = ('content' in answer && answer.content) || {}
  return Object.entries(content).map(([media, { schema }]) =>
    media === 'application/json' ? typeOf(schema) : [{ text: media }],
  )
}

function rowsOf({ properties = {}, required = [] }: JsonSchema): Row[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    type: typeOf(schema),
    onlyFor: null,
  }))
}

/**
 * A type as programs write it, with its limits: `string (1–200)`, `integer (≥ 1)[]`, `"low" |
 * "high"`, `Incident | null`.
 */
function typeOf(schema: JsonSchema): Piece[] {
  if (schema.$ref) return [{ shape: schema.$ref.split('/').at(-1)! }]
  if (schema.anyOf) return joined(schema.anyOf.map(typeOf), ' | ')
  if (schema.allOf) return joined(schema.allOf.map(typeOf), ' & ')
  if (schema.enum) return [{ text: schema.enum.map((each) => JSON.stringify(each)).join(' | ') }]
  if ('const' in schema) return [{ text: JSON.stringify(schema.const) }]
  const limits = limitsOf(schema)
  if (schema.type === 'array') return [...bracketed(typeOf(schema.items ?? {})), { text: `[]${limits}` }]
  if (schema.type === 'object') return objectOf(schema)
  const names = [schema.format ?? schema.type ?? 'any'].flat().join(' | ')
  return [{ text: `${names}${limits}` }]
}

function objectOf({ properties, additionalProperties }: JsonSchema): Piece[] {
  const fields = rowsOf({ properties: properties ?? {} })
  const others = fields.length === 0 && typeof additionalProperties === 'object'
  if (others) return [{ text: '{ [name]: ' }, ...typeOf(additionalProperties as JsonSchema), { text: ' }' }]
  const each = fields.map(({ name, type }) => [{ text: `${name}: ` }, ...type])
  return [{ text: '{ ' }, ...joined(each, ', '), { text: ' }' }]
}

const bracketed = (type: Piece[]) =>
  type.length > 1 || ('text' in type[0]! && type[0].text.includes(' | '))
    ? [{ text: '(' }, ...type, { text: ')' }]
    : type

const joined = (types: Piece[][], by: string): Piece[] =>
  types.flatMap((type, i) => (i === 0 ? type : [{ text: by }, ...type]))

function limitsOf(schema: JsonSchema): string {
  const least = schema.minimum ?? schema.minLength ?? schema.minItems
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return ` (≥ ${least})`
  return least === undefined ? ` (≤ ${most})` : ` (${least}–${most})`
}
