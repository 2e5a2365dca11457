import { limits } from '../../../vocabulary/limits.js'
import type { Context, Middleware } from '../context.js'
import { Problem } from '../problem.js'
import { correctMediaType } from './mediaType.js'
import { uploadsAway } from './uploadFolder.js'

/** Every JSON type is read as JSON: none may pass and be taken as empty (decision 4.3). */
const jsonTypes = ['json', '+json']
const mostFields = 1000
/** How JSON and simple forms are read. */
export const parsing = {
  json: true,
  jsonTypes,
  urlencoded: true,
  text: false,
  multipart: false,
  jsonLimit: limits.jsonBytes,
  formLimit: limits.formBytes,
  // Dots and brackets are part of a field's name, because nested objects from a form are an attack.
  // Too many fields are refused, not cut.
  queryString: {
    allowDots: false,
    depth: 0,
    parameterLimit: mostFields,
    arrayLimit: mostFields,
    throwOnLimitExceeded: true,
  },
  parsedMethods: ['POST', 'PATCH', 'DELETE'] as never,
}

/** Makes the parser of a body, by the options of koa-body. */
export type MakeParser = (options: object) => Middleware

let loading: Promise<MakeParser> | null = null

/** Loaded with the first body: a start is quicker without the hundred files of the parser. */
export function loadBodyParser(): Promise<MakeParser> {
  loading ??= import('koa-body')
    .then(({ koaBody }) => koaBody as unknown as MakeParser)
    .catch((error: unknown) => {
      // The next body tries again.
      loading = null
      throw error
    })
  return loading
}

/** Throws 415 unless the body is JSON, a simple form or of these types, and in UTF-8. */
export async function requireReadableType(ctx: Context, types: readonly string[]): Promise<void> {
  await correctMediaType(ctx)
  const isEmpty = !ctx.get('Transfer-Encoding') && !(Number(ctx.get('Content-Length')) > 0)
  if (isEmpty) return
  if (!ctx.get('Content-Type')) throw new Problem(422, 'type_missing')
  if (!ctx.is(...jsonTypes, 'urlencoded', ...types)) throw new Problem(415, 'unsupported_type')
  const charset = ctx.request.charset.toLowerCase()
  if (charset && charset !== 'utf-8' && charset !== 'utf8') throw new Problem(415, 'unsupported_type')
}

/**
 * Runs a parser, and then the rest of the request. Throws 400, 413 or 415 for what it cannot read.
 */
export async function parseThen(parse: Middleware, ctx: Context, next: () => Promise<void>): Promise<void> {
  // A closed connection emits no more events: a parser would wait for ever. An empty body that was
  // looked into has ended as well, and no parser reads it.
  if (ctx.req.destroyed && !ctx.req.readableEnded) throw new Problem(400, 'malformed_body')
  await parseOrRefuse(parse, ctx)
  await next()
}

/** Runs a parser. Throws 400, 413 or 415 for what it cannot read. */
export async function parseOrRefuse(parse: Middleware, ctx: Context): Promise<void> {
  await Promise.resolve(parse(ctx, async () => {})).catch(refuseUnreadable)
}

/**
 * Whether our disk took no upload: a failed write, or a file or folder that cannot be opened or
 * made, whatever the reason. Only the latter say which path it was; a broken connection never does.
 */
const isOfOurDisk = ({ code, path }: { code?: unknown; path?: unknown }) =>
  typeof code === 'string' &&
  (/^(ENOSPC|EROFS|EACCES|EDQUOT|EIO|EFBIG)$/.test(code) || typeof path === 'string')

/** Parsers quote the body in their error messages, so only the status of the error is kept. */
export function refuseUnreadable(
  error: Error & { status?: number; httpCode?: number; code?: unknown; path?: unknown },
): never {
  if (isOfOurDisk(error)) throw uploadsAway(error)
  if (error instanceof Problem) throw error
  const status = error.status ?? error.httpCode
  if (status === 413) throw new Problem(413, 'too_large')
  if (status === 415) throw new Problem(415, 'unsupported_type')
  throw new Problem(400, 'malformed_body')
}
