import { mkdir, rm } from 'node:fs/promises'
import { koaBody } from 'koa-body'
import { config } from '../config.js'
import { limits } from '../domain/limits.js'
import type { Context, Middleware, UploadedFile } from './context.js'
import { refuseForeign, requireFormToken } from './csrf.js'
import { Problem } from './problem.js'
import { signInAgainIfAsked } from './signInAgain.js'

const photoFields = new Set(['photos[]', 'photos'])
const simple = { json: true, urlencoded: true, text: false, multipart: false }
const parsing = {
  jsonLimit: limits.jsonBytes,
  formLimit: limits.formBytes,
  // Dots and brackets in a field's name are part of its name: nested objects from a form are an attack, not a feature.
  queryString: { allowDots: false, depth: 0, parameterLimit: 1000 },
  parsedMethods: ['POST', 'PATCH', 'DELETE'] as never,
}

/**
 * The options without which a report without a photo is a 500, forty files are accepted and temporary files stay:
 * the browser's empty file part is dropped, sizes are capped while streaming, one bad photo is refused by name later.
 */
const formidable = {
  uploadDir: config.uploadDir,
  multiples: true,
  allowEmptyFiles: true,
  minFileSize: 0,
  maxFiles: 4 * limits.photosPerPost,
  maxFileSize: 6 * limits.photoBytes,
  maxTotalFileSize: 6 * limits.photoBytes,
  maxFields: 100,
  maxFieldsSize: limits.formBytes,
  filter: ({ name, originalFilename }: { name: string | null; originalFilename: string | null }) =>
    Boolean(originalFilename) && photoFields.has(name ?? ''),
  onPart,
}

/** A part is a file when it has a file name, whatever its declared type: clients disagree on sending one. */
function onPart(
  part: { originalFilename: string | null; mimetype: string | null },
  handle: (part: never) => void,
): void {
  if (typeof part.originalFilename === 'string') part.mimetype ??= 'application/octet-stream'
  else part.mimetype = null
  handle(part as never)
}

const multipart = { multipart: true, formidable: formidable as never }
const fieldsAlone = { multipart: true, formidable: { ...formidable, filter: () => false } as never }

/**
 * Reads a request's body on the routes that take one, after `allow`: nobody without the right makes us read.
 * Leaves an object in `ctx.request.body` and photo files in `ctx.state.uploads`; the files are gone when the answer is.
 * `jsonBytes`: the largest JSON this route takes; those above the usual size are handled one at a time. `photos`: taken,
 * or read past without a file being made of them. `token` false: nothing is done with what the form says until its
 * sender has signed in and sent it again.
 */
export function body({
  photos = false,
  jsonBytes = limits.jsonBytes,
  token = true,
}: {
  photos?: boolean | 'dropped'
  jsonBytes?: number
  token?: boolean
} = {}): Middleware {
  const parse = koaBody({
    ...simple,
    ...parsing,
    jsonLimit: jsonBytes,
    ...(photos === 'dropped' ? fieldsAlone : photos ? multipart : {}),
  }) as unknown as Middleware
  const read = reader(parse, photos !== false, token)
  return (ctx, next) =>
    jsonBytes > limits.jsonBytes && mayBeLarge(ctx) ? inTurn(() => read(ctx, next)) : read(ctx, next)
}

function reader(parse: Middleware, photos: boolean, token: boolean): Middleware {
  return async (ctx, next) => {
    refuseForeign(ctx)
    requireReadableType(ctx, photos)
    if (ctx.is('multipart')) await mkdir(config.uploadDir, { recursive: true, mode: 0o700 })
    try {
      await Promise.resolve(parse(ctx, async () => {})).catch(refuseUnreadable)
      // The parser keeps the text beside what it made of it: twice the memory for nothing.
      Object.assign(ctx.request, { rawBody: undefined })
      ctx.state.uploads = uploadedFiles(ctx)
      if (token) {
        requireFormToken(ctx, bodyOf(ctx))
        await signInAgainIfAsked(ctx, bodyOf(ctx))
      }
      await next()
    } finally {
      await Promise.all(uploadedFiles(ctx).map((file) => rm(file.path, { force: true })))
    }
  }
}

/** Of unknown size, compressed, or said to be above the usual limit. */
function mayBeLarge({ req: { headers } }: Context): boolean {
  return !(Number(headers['content-length']) <= limits.jsonBytes) || headers['content-encoding'] !== undefined
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other, from reading to answer: 67 MB of JSON take 250 MB of memory while they are handled. */
function inTurn<T>(act: () => T): Promise<Awaited<T>> {
  const turn = last.then(act) as Promise<Awaited<T>>
  last = turn.catch(() => {})
  return turn
}

/** The parsed body as an object; anything else than an object of fields was refused as malformed. */
export function bodyOf(ctx: Context): Record<string, unknown> {
  const { body } = ctx.request as { body?: unknown }
  if (body === undefined || body === '') return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem(400, 'malformed_body')
  return body as Record<string, unknown>
}

/** True when the fields came from an HTML form, where every value is text. */
export function isForm(ctx: Context): boolean {
  return Boolean(ctx.is('urlencoded', 'multipart'))
}

function requireReadableType(ctx: Context, photos: boolean): void {
  const empty =
    !ctx.get('Transfer-Encoding') && (ctx.get('Content-Length') === '' || ctx.get('Content-Length') === '0')
  if (empty && !ctx.get('Content-Type')) return
  if (!ctx.is('json', '+json', 'urlencoded', ...(photos ? ['multipart/form-data'] : []))) {
    throw new Problem(415, 'unsupported_type')
  }
  const charset = ctx.request.charset.toLowerCase()
  if (charset && charset !== 'utf-8' && charset !== 'utf8') throw new Problem(415, 'unsupported_type')
}

/** Parsers quote the body in their messages, so nothing of their errors is kept but the status. */
function refuseUnreadable(error: { status?: number; httpCode?: number; code?: unknown }): never {
  if (typeof error.code === 'string' && /^(ENOSPC|EROFS|EACCES|EDQUOT|EIO)$/.test(error.code)) {
    throw new Problem(503, 'photo_store_away', { headers: { 'Retry-After': '30' } })
  }
  const status = error.status ?? error.httpCode
  if (status === 413) throw new Problem(413, 'too_large')
  if (status === 415) throw new Problem(415, 'unsupported_type')
  throw new Problem(400, 'malformed_body')
}

function uploadedFiles(ctx: Context): UploadedFile[] {
  const files = (ctx.request as { files?: Record<string, unknown> }).files ?? {}
  return Object.entries(files).flatMap(([field, given]) =>
    [given].flat().map((file) => {
      const { filepath, size, originalFilename } = file as {
        filepath: string
        size: number
        originalFilename: string | null
      }
      return { path: filepath, size, field, name: originalFilename ?? '' }
    }),
  )
}
