/**
 * Well-formed but unacceptable input: 422, with a text for each field (decisions 4.1, 4.2). A
 * problem is a key of the catalogue's `fields`; or one of its `misplaced` or `namedPhotos`, and
 * after a blank what it names.
 */
export class ValidationFailed extends Error {
  override readonly name = 'ValidationFailed'

  constructor(readonly fields: Record<string, string[]>) {
    super(`invalid: ${Object.keys(fields).join(', ')}`)
  }
}

/** The row does not exist, or not for this caller: 404. */
export class NotFound extends Error {
  override readonly name = 'NotFound'

  constructor(message = 'not found') {
    super(message)
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
