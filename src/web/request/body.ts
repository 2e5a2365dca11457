import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { koaBody } from 'koa-body'
import { config } from '../../config.js'
import { limits } from '../../domain/system/limits.js'
import { Problem } from '../answer/problem.js'
import type { Context, Middleware, UploadedFile } from '../context.js'
import { refuseForeign, requireFormToken } from '../session/csrf.js'
import { signInAgainIfAsked } from '../session/signInAgain.js'
import { type LargeJson, largeJson, mayBeLarge } from './largeBody.js'

const photoFields = new Set(['photos[]', 'photos'])
const simple = { json: true, urlencoded: true, text: false, multipart: false }
const mostFields = 1000
/**
 * Dots and brackets in a field's name are part of its name: nested objects from a form are an attack, not a feature. A
 * field that comes often stays a list, and a form with more fields than may be is refused, not cut.
 */
export const formFields = {
  allowDots: false,
  depth: 0,
  parameterLimit: mostFields,
  arrayLimit: mostFields,
  throwOnLimitExceeded: true,
}
const parsing = {
  jsonLimit: limits.jsonBytes,
  formLimit: limits.formBytes,
  queryString: formFields,
  parsedMethods: ['POST', 'PATCH', 'DELETE'] as never,
}

/**
 * The options without which a report without a photo is a 500, forty files are accepted and temporary files stay:
 * the browser's empty file part is dropped, sizes are capped while streaming, one bad photo is refused by name later.
 */
const formidable = {
  multiples: true,
  allowEmptyFiles: true,
  minFileSize: 0,
  maxFiles: 4 * limits.photosPerPost,
  maxFileSize: 6 * limits.photoBytes,
  maxTotalFileSize: 6 * limits.photoBytes,
  maxFields: 100,
  maxFieldsSize: limits.formBytes,
  // Made while the bytes pass by, so that nobody reads a whole photo again to know it from another.
  hashAlgorithm: 'sha256' as const,
  onPart,
}

type Part = { name: string | null; originalFilename: string | null }
const isPhoto = ({ name, originalFilename }: Part) => Boolean(originalFilename) && photoFields.has(name ?? '')

/** A part is a file when it has a file name, whatever its declared type: clients disagree on sending one. */
function onPart(
  part: { originalFilename: string | null; mimetype: string | null },
  handle: (part: never) => void,
): void {
  if (typeof part.originalFilename === 'string') part.mimetype ??= 'application/octet-stream'
  else part.mimetype = null
  handle(part as never)
}

/** Reads the fields of a form past its files, and makes none. */
const fieldsAlone = { multipart: true, formidable: { ...formidable, filter: () => false } as never }

/**
 * Reads a request's body on the routes that take one, after `allow`: nobody without the right makes us read.
 * Leaves an object in `ctx.request.body` and photo files in `ctx.state.uploads`; the files are gone when the request is
 * done with, whatever became of it.
 * `large`: this route takes JSON above the usual size, handled one at a time. `photos`: taken, or read past without a
 * file being made of them. `token` false: nothing is done with what the form says until its
 * sender has signed in and sent it again.
 */
export function body({
  photos = false,
  large,
  token = true,
}: {
  photos?: boolean | 'dropped'
  large?: LargeJson
  token?: boolean
} = {}): Middleware {
  const options = {
    ...simple,
    ...parsing,
    ...(photos === 'dropped' ? fieldsAlone : {}),
  }
  const parse = koaBody(options) as unknown as Middleware
  const withFiles: Reading = (ctx, next) =>
    ctx.is('multipart') ? inFolderOfItsOwn(options, ctx, next) : readThen(parse, ctx, next)
  const plain: Reading = (ctx, next) => readThen(parse, ctx, next)
  const read = reader(photos === true ? withFiles : plain, photos !== false, token)
  if (!large) return read
  const readLarge = reader((ctx, next) => readThen(largeJson(large), ctx, next), false, token)
  return (ctx, next) => (mayBeLarge(ctx) ? inTurn(() => readLarge(ctx, next)) : read(ctx, next))
}

type Reading = (ctx: Context, next: () => Promise<void>) => Promise<void>

function reader(read: Reading, photos: boolean, token: boolean): Middleware {
  return async (ctx, next) => {
    refuseForeign(ctx)
    requireReadableType(ctx, photos)
    await read(ctx, async () => {
      // The parser keeps the text beside what it made of it: twice the memory for nothing.
      Object.assign(ctx.request, { rawBody: undefined })
      refuseDeep(ctx)
      ctx.state.uploads = uploadedFiles(ctx)
      if (token) {
        requireFormToken(ctx, bodyOf(ctx))
        await signInAgainIfAsked(ctx, bodyOf(ctx))
      }
      await next()
    })
  }
}

async function readThen(parse: Middleware, ctx: Context, next: () => Promise<void>): Promise<void> {
  // Of a sender who is gone no event is to come any more: a parser would wait for one without end.
  if (ctx.req.destroyed) throw new Problem(400, 'malformed_body')
  await Promise.resolve(parse(ctx, async () => {})).catch(refuseUnreadable)
  await next()
}

/**
 * Files go into a folder of this request alone, which is removed whole: the parser tells of none of them when it refuses
 * one, and opens further ones after that.
 */
async function inFolderOfItsOwn(options: object, ctx: Context, next: () => Promise<void>): Promise<void> {
  const uploadDir = path.join(config.uploadDir, randomUUID())
  let open = true
  const filter = (part: Part) => open && isPhoto(part)
  const files = { multipart: true, formidable: { ...formidable, uploadDir, filter } as never }
  const parse = koaBody({ ...options, ...files }) as unknown as Middleware
  try {
    await mkdir(uploadDir, { recursive: true, mode: 0o700 }).catch(refuseUnreadable)
    await readThen(parse, ctx, next)
  } finally {
    open = false
    // One that was being opened meanwhile makes a second try necessary.
    await rm(uploadDir, { recursive: true, force: true, maxRetries: 5 })
  }
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

/** Deeper than any request of ours; what recurses into a body later can rely on it. */
const deepest = 50

/** Refuses a body of boxes within boxes, level by level and without recursion. */
export function refuseDeep(ctx: Context): void {
  let level: unknown[] = [bodyOf(ctx)]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new Problem(400, 'malformed_body')
    level = level.flatMap((box) => (Array.isArray(box) ? box : Object.values(box as object)).filter(isBox))
  }
}

const isBox = (value: unknown) => typeof value === 'object' && value !== null

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
  if (error instanceof Problem) throw error
  const status = error.status ?? error.httpCode
  if (status === 413) throw new Problem(413, 'too_large')
  if (status === 415) throw new Problem(415, 'unsupported_type')
  throw new Problem(400, 'malformed_body')
}

function uploadedFiles(ctx: Context): UploadedFile[] {
  const files = (ctx.request as { files?: Record<string, unknown> }).files ?? {}
  return Object.entries(files).flatMap(([field, given]) =>
    [given].flat().map((file) => {
      const { filepath, size, hash, originalFilename } = file as {
        filepath: string
        size: number
        hash: string
        originalFilename: string | null
      }
      return { path: filepath, size, hash, field, name: originalFilename ?? '' }
    }),
  )
}
