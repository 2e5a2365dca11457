import { z } from 'zod'
import type { Answer } from '../answer/respond.js'

/** For people only: a page, or a redirect from a form. JSON gets 204. */
export const page = { kind: 'page' } as const
/** 204 for JSON, a redirect for a form. */
export const noContent = { kind: 'noContent' } as const
/** Bytes or text of these media types. */
export const file = (...types: [string, ...string[]]) => ({ kind: 'file', types }) as const

type ContentWithoutSchema = typeof page | typeof noContent | ReturnType<typeof file>
/** What an answer holds: JSON of a schema, or something without a schema. */
export type Content = z.ZodType | ContentWithoutSchema
/** A route's declared answers: one content with 200 (204 for `noContent`), or several by status. */
export type DeclaredAnswer = Content | { readonly [status: number]: Content }
/** A route's answers by status. */
export type Answers = ReadonlyMap<number, Content>

/** The JSON a route declares; `never` when it declares none. */
type JsonOf<A> = A extends z.ZodType
  ? z.output<A>
  : A extends ContentWithoutSchema
    ? never
    : { [K in keyof A]: A[K] extends z.ZodType ? z.output<A[K]> : never }[keyof A]

type Redirected = Omit<Answer, 'data'> & { data?: undefined; location: string }

/** What a handler with these answers may return; `location` without data redirects. */
export type HandlerResult<A> =
  | typeof answeredByHandler
  | ([JsonOf<A>] extends [never]
      ? Omit<Answer, 'data'> & { data?: undefined }
      : (Omit<Answer, 'data'> & { data: JsonOf<A> | (() => Promise<JsonOf<A>>) }) | Redirected)

/** Returned by a handler that has written the response itself, such as a file. */
export const answeredByHandler = { kind: 'answered' } as const

/** A declaration by status; null when it is invalid. */
export function answersOf(declared: DeclaredAnswer): Answers | null {
  if (isContent(declared)) return new Map([[isDone(declared) ? 204 : 200, declared]])
  const byStatus = Object.entries(declared ?? {}).map(
    ([status, content]) => [Number(status), content] as const,
  )
  const whole =
    byStatus.length > 0 && byStatus.every(([status, content]) => status >= 200 && isContent(content))
  return whole ? new Map(byStatus) : null
}

const isDone = (content: Content) => !(content instanceof z.ZodType) && content.kind === 'noContent'

function isContent(value: unknown): value is Content {
  const { kind } = (value ?? {}) as { kind?: unknown }
  return value instanceof z.ZodType || kind === 'page' || kind === 'noContent' || kind === 'file'
}
