import type { Description } from '../../../src/platform/http/description/document.js'
import type { Operation } from '../../../src/platform/http/description/operation.js'

/** Every operation of a description, with where it stands. */
export const operationsOf = ({
  paths,
}: Description): { method: string; path: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )

/** Every object in a value, with where it stands. */
export function* objectsIn(
  value: unknown,
  at = '#',
): Generator<[at: string, object: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as Record<string, unknown>]
  for (const [key, each] of Object.entries(value)) yield* objectsIn(each, `${at}/${key}`)
}
