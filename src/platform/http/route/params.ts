import { z } from 'zod'
import { maxId } from '../../../vocabulary/limits.js'
import { NotFound } from '../../../vocabulary/validation.js'
import type { Context } from '../context.js'
import { pathId } from '../request/query.js'

/** The names of a path's parameters: `'id' | 'costId'` of `/incidents/:id/costs/:costId`. */
type NameIn<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | NameIn<`/${Tail}`>
    : Rest
  : never

type PathIn<P extends string | readonly string[]> = P extends readonly string[] ? P[number] : P
type ParamName<P extends string | readonly string[]> = NameIn<PathIn<P> & string>

/** Schemas of path parameters that are not ids. */
export type ParamSchemas = Record<string, z.ZodType<unknown, string>>

/** A path's parameters for a handler: ids, unless the route gives a schema. */
export type Params<P extends string | readonly string[], S> = {
  [K in ParamName<P>]: K extends keyof S ? (S[K] extends z.ZodType ? z.output<S[K]> : number) : number
}

/** An id in a path, for the API description. */
export const pathIdSchema = z.int().min(1).max(maxId)

/** The parameters of a path, in order. */
export function paramsIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

/** Makes the reader of path parameters; it throws 404 for an unfit value (decision 4.1). */
export function paramsReader(path: string, schemas: ParamSchemas): (ctx: Context) => Record<string, unknown> {
  const readers = paramsIn(path).map((name) => {
    const schema = schemas[name]
    const read = schema
      ? (ctx: Context) => fitting(schema, ctx.params[name])
      : (ctx: Context) => pathId(ctx, name)
    return [name, read] as const
  })
  return (ctx) => Object.fromEntries(readers.map(([name, read]) => [name, read(ctx)]))
}

function fitting(schema: z.ZodType, text: string | undefined): unknown {
  const parsed = schema.safeParse(text)
  if (!parsed.success) throw new NotFound()
  return parsed.data
}
