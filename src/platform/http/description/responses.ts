import { z } from 'zod'
import { isRole, type Principal, permissions, roles } from '../../../vocabulary/people/permissions.js'
import type { Content } from '../route/answerContent.js'
import { hasFields, isFields, isRead } from '../route/fields.js'
import type { Route } from '../route/route.js'
import { type JsonSchema, objectOf, type Schemas } from './jsonSchema.js'

/** A body by its media type. */
export type Media = Record<string, { schema: JsonSchema }>

/** What several operations share, by where it stands. */
export type Shared = { $ref: string }
/** One answer of an operation. */
export type DescribedAnswer = { description: string; headers?: Record<string, Shared>; content?: Media }

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

/** What it answers at this address, by status: first its refusals. */
export function responsesOf(
  route: Route,
  path: string,
  schemas: Schemas,
): Record<string, DescribedAnswer | Shared> {
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
