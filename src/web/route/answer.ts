import { z } from 'zod'
import type { Answer } from '../answer/respond.js'

/** For people alone: a page, or from a form the way to one. JSON has nothing to say there (204). */
export const page = { kind: 'page' } as const
/** Done, and nothing to tell: 204, and for a form the way to a page. */
export const noContent = { kind: 'noContent' } as const
/** Bytes or text of these media types. */
export const file = (...types: [string, ...string[]]) => ({ kind: 'file', types }) as const

type Silent = typeof page | typeof noContent | ReturnType<typeof file>
/** What an answer holds: JSON of a schema, or what has no schema. */
export type Content = z.ZodType | Silent
/** A route's answers as it declares them: of one content with 200 (204 for `noContent`), or by status. */
export type Declared = Content | { readonly [status: number]: Content }
/** The same by status. */
export type Answers = ReadonlyMap<number, Content>

/** The JSON a route declares; never for one that has none. */
type JsonOf<A> = A extends z.ZodType
  ? z.output<A>
  : A extends Silent
    ? never
    : { [K in keyof A]: A[K] extends z.ZodType ? z.output<A[K]> : never }[keyof A]

type Elsewhere = Omit<Answer, 'data'> & { data?: undefined; location: string }

/** What a handler of a route with these answers may hand over; with `location` alone it sends people elsewhere. */
export type Handled<A> =
  | typeof answered
  | ([JsonOf<A>] extends [never]
      ? Omit<Answer, 'data'> & { data?: undefined }
      : (Omit<Answer, 'data'> & { data: JsonOf<A> }) | Elsewhere)

/** A handler returns it when it has written its answer itself: a file, or one that `respond` does not write. */
export const answered = { kind: 'answered' } as const

/** A declaration by status; null when it is none. */
export function answersOf(declared: Declared): Answers | null {
  if (isContent(declared)) return new Map([[isDone(declared) ? 204 : 200, declared]])
  const byStatus = Object.entries(declared ?? {}).map(
    ([status, content]) => [Number(status), content] as const,
  )
  const whole =
    byStatus.length > 0 && byStatus.every(([status, content]) => status >= 200 && isContent(content))
  return whole ? new Map(byStatus) : null
}

const isDone = (content: Content) => !(content instanceof z.ZodType) && content.kind === 'noContent'

function isContent(given: unknown): given is Content {
  const { kind } = (given ?? {}) as { kind?: unknown }
  return given instanceof z.ZodType || kind === 'page' || kind === 'noContent' || kind === 'file'
}
