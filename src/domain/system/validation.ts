/** A field's problem, as a key of the catalogue's `fields` texts. */
export type FieldProblem = string

/** Input that is well-formed but not acceptable: 422, with a text at each field (decisions 4.1, 4.2). */
export class ValidationFailed extends Error {
  constructor(readonly fields: Record<string, FieldProblem[]>) {
    super(`invalid: ${Object.keys(fields).join(', ')}`)
    this.name = 'Invalid'
  }
}

/** The thing asked for does not exist, or not for this caller: 404. */
export class NotFound extends Error {
  constructor(message = 'not found') {
    super(message)
    this.name = 'NotFound'
  }
}

/** The row, or NotFound. */
export function orNotFound<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw new NotFound()
  return row
}

/** An Idempotency-Key came again with another request: 422 (decision 6.13). */
export class KeyReused extends Error {
  override readonly name = 'KeyReused'
}
