/**
 * A problem with a field, as a key of the catalogue's `fields`; or one of its `misplaced` or
 * `namedPhotos`, and after a blank what it names.
 */
type FieldProblem = string

/** Well-formed but unacceptable input: 422, with a text for each field (decisions 4.1, 4.2). */
export class ValidationFailed extends Error {
  constructor(readonly fields: Record<string, FieldProblem[]>) {
    super(`invalid: ${Object.keys(fields).join(', ')}`)
    this.name = 'Invalid'
  }
}

/** The row does not exist, or not for this caller: 404. */
export class NotFound extends Error {
  constructor(message = 'not found') {
    super(message)
    this.name = 'NotFound'
  }
}

/** The row itself. Throws NotFound when there is none. */
export function orNotFound<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw new NotFound()
  return row
}

/** An Idempotency-Key was used again with a different request: 422 (decision 6.13). */
export class KeyReused extends Error {
  override readonly name = 'KeyReused'
}
