import { z } from 'zod'
import type { Text } from '../../text/index.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { Forbidden, SignInAgain } from '../../vocabulary/people/actor.js'
import { cleanLine, cut } from '../../vocabulary/plainText.js'
import { KeyReused, NotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { PhotoRefused } from '../photos/photoRefused.js'
import { StoreUnavailable } from '../photos/store.js'
import { databaseAway, nativeError, OutcomeUnknown, unfitForDatabase } from '../process/databaseErrors.js'
import { Overloaded } from '../process/limitConcurrency.js'

/** A problem (RFC 9457). `errors`: by field; `mergedInto`, `redirectTo`: of a merged incident. */
export const ProblemJson = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    detail: z.string(),
    status: z.int(),
    code: z.string(),
    requestId: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    mergedInto: z.int().optional(),
    redirectTo: z.string().optional(),
  })
  .meta({ id: 'Problem' })

/**
 * An error with its answer: status, members of the problem document, headers, and a code that has a
 * title and a text in the catalogue (`text.problems`).
 */
export class Problem extends Error {
  readonly members: Record<string, unknown>
  readonly headers: Record<string, string>
  /** Says more than the detail of the code. */
  readonly detail: ((text: Text) => string) | undefined

  constructor(
    readonly status: number,
    readonly code: string,
    {
      members = {},
      headers = {},
      detail,
      ...options
    }: {
      members?: Record<string, unknown>
      headers?: Record<string, string>
      detail?: (text: Text) => string
    } & ErrorOptions = {},
  ) {
    super(code, options)
    this.name = 'Problem'
    this.members = members
    this.headers = headers
    this.detail = detail
  }
}

/**
 * The document of a problem: the code is for programs, the texts for people, the id for the log.
 */
export function problemDocument(
  { code, status }: Problem,
  text: { title: string; detail: string },
  requestId: string,
  members: Record<string, unknown> = {},
): string {
  const type = `urn:caretaker:problem:${code}`
  return JSON.stringify({ type, ...text, status, code, ...members, requestId })
}

/** Seconds to wait before a retry when a service we depend on is away. */
export const retryAfter = '5'

const byStatus: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  409: 'conflict',
  411: 'bad_request',
  413: 'too_large',
  415: 'unsupported_type',
  417: 'bad_request',
  422: 'invalid',
  429: 'throttled',
  431: 'too_large',
  501: 'method_not_allowed',
  503: 'unavailable',
}

/** SQLSTATEs of a race between two requests, which the rules could not see beforehand. */
const conflicts = new Set(['23001', '23503', '23505', '23514', '40001', '40P01'])

/**
 * The one translation of a thrown error into a response; an unknown error is a 500 (decision 4.1).
 * `hasStored`: the request has stored something, so that a part that went away after that must not
 * say that nothing was.
 */
export function problemFrom(error: unknown, { hasStored = false } = {}): Problem {
  const problem = problemOf(error)
  return hasStored && problem.status === 503 ? away('outcome_unknown') : problem
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof ValidationFailed)
    return new Problem(422, 'invalid', { members: { errors: error.fields } })
  if (error instanceof Forbidden) return forbidden(error.field)
  if (error instanceof NotFound) return new Problem(404, 'not_found')
  if (error instanceof Conflict) return new Problem(409, error.code, { members: error.details })
  if (error instanceof SignInAgain) return new Problem(403, 'sign_in_again')
  if (error instanceof KeyReused) return new Problem(422, 'idempotency_reused')
  if (error instanceof OutcomeUnknown) return away('outcome_unknown')
  if (error instanceof StoreUnavailable) return away('photo_store_away')
  if (error instanceof PhotoRefused) return photoProblem(error)
  if (error instanceof Overloaded || databaseAway(error)) return away('unavailable')
  const { code, status, expose } = nativeError(error) as { code?: string; status?: number; expose?: boolean }
  if (code && conflicts.has(code)) return new Problem(409, 'conflict')
  if (unfitForDatabase(error)) return new Problem(400, 'bad_request')
  if (expose === true && status && byStatus[status]) return new Problem(status, byStatus[status])
  return new Problem(500, 'internal')
}

function forbidden(field: string | undefined): Problem {
  if (field === undefined) return new Problem(403, 'forbidden')
  return new Problem(403, 'admin_only', { members: { errors: { [field]: ['admin_only'] } } })
}

/** Characters of a file's name that are shown. */
const mostName = 80

/** A refused photo by its kind (decision 4.1); its sender is told the name of its file. */
function photoProblem({ problem, file }: PhotoRefused): Problem {
  if (problem === 'photo_busy') return away('unavailable')
  const name = cut(cleanLine(file).replace(/\p{Cf}/gu, ''), mostName)
  const members = { errors: { photos: [`${problem} ${name}`.trim()] } }
  if (problem === 'photo_too_large') return new Problem(413, 'too_large', { members })
  if (problem === 'photo_type' || problem === 'photo_heic')
    return new Problem(415, 'unsupported_type', { members })
  return new Problem(422, 'invalid', { members })
}

function away(code: string): Problem {
  return new Problem(503, code, { headers: { 'Retry-After': retryAfter } })
}
