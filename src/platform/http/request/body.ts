import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { decodeBytes } from '../../../vocabulary/characterSets.js'
import { limits } from '../../../vocabulary/limits.js'
import { config } from '../../process/config.js'
import type { Context, Middleware } from '../context.js'
import { Problem } from '../problem.js'
import { signInAgainIfAsked } from '../session/authenticate.js'
import { refuseForeign, requireAuthor, requireFormToken } from '../session/csrf.js'
import { correctMediaType } from './mediaType.js'
import {
  filesNamed,
  intoFile,
  type LargeBody,
  largeBody,
  mayBeLarge,
  receive,
  uploadedFiles,
  uploadsAway,
} from './receivedFiles.js'

/**
 * A file's text: by its byte order mark, else UTF-8, else Windows-1252, the default of many
 * spreadsheets. All line ends become line feeds.
 */
export function decodedText(bytes: Uint8Array): string {
  return evenLines(decodeBytes(bytes))
}

/** All line ends as line feeds, without the byte order mark. */
export function evenLines(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

const photoFields = new Set(['photos[]', 'photos'])
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

/**
 * formidable's defaults are wrong here: without these a report without a photo is a 500 (the
 * browser's empty file part). Sizes are capped while streaming; a bad photo is refused by name
 * later.
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
  // Hashed while streaming, so that no photo is read again for the Idempotency-Key.
  hashAlgorithm: 'sha256' as const,
  onPart,
}

/** A part with a file name is a file, whatever its declared type: clients disagree on that. */
function onPart(
  part: { originalFilename: string | null; mimetype: string | null },
  handle: (part: never) => void,
): void {
  if (typeof part.originalFilename === 'string') part.mimetype ??= 'application/octet-stream'
  else part.mimetype = null
  handle(part as never)
}

let parserOf: (options: object) => Middleware

/** Loaded with the first body: a start is quicker without the hundred files of the parser. */
export async function bodyParser(): Promise<typeof parserOf> {
  parserOf ??= (await import('koa-body')).koaBody as never
  return parserOf
}

/** Reads the fields of a multipart form and skips its files. */
const fieldsAlone = { multipart: true, formidable: { ...formidable, filter: () => false } as never }

const mostFormBytes = 6 * limits.photoBytes + limits.formBytes

/** The bytes a request says its body has; infinitely many when it says nothing. Browsers say it. */
export const lengthOf = (ctx: Context) => Number(ctx.get('Content-Length') || Number.POSITIVE_INFINITY)

/** Whether this is an HTML form that is said to be no larger than a report with its photos. */
export const isBoundedForm = (ctx: Context) => isForm(ctx) && lengthOf(ctx) <= mostFormBytes

/** For a form that is only shown again: photos are skipped, and no token is asked for. */
export const formWithoutPhotos = body({ photos: 'dropped', token: false })

/**
 * Reads a body into `ctx.request.body`, photos into `ctx.state.uploads`; removes the files after
 * the request. `photos` 'dropped': skips them. `token` false: asks for no form token, as the form
 * is only shown again.
 */
export function body({
  photos = false,
  large,
  token = true,
}: {
  photos?: boolean | 'dropped'
  large?: LargeBody
  token?: boolean
} = {}): Middleware {
  const options = { ...parsing, ...(photos === 'dropped' ? fieldsAlone : {}) }
  // What it reads beside JSON and simple forms.
  const types = large?.types ?? (photos === false ? [] : ['multipart/form-data'])
  let parser: Middleware | undefined
  return async (ctx, next) => {
    refuseForeign(ctx)
    await requireReadableType(ctx, types)
    // Before the reading, which must begin at once when it has seen that the connection is open.
    await bodyParser()
    parser ??= parserOf(options)
    const go = async () => {
      await checkRead(ctx, large, token)
      await next()
    }
    if (large && mayBeLarge(ctx, large)) await receiveThenRead(large, ctx, go)
    else if (photos === true && ctx.is('multipart')) await readFiles(options, ctx, go)
    else await readThen(parser, ctx, go)
  }
}

/** Throws for a body that was read and may not go further; else its fields and files are ready. */
async function checkRead(ctx: Context, large: LargeBody | undefined, token: boolean): Promise<void> {
  if (large?.fields) {
    // Also in what the fields leave out.
    refuseDeep(ctx)
    Object.assign(ctx.request, { body: large.fields(bodyOf(ctx)) })
  }
  refuseJsonAsForm(ctx)
  // The parser also keeps the raw text: twice the memory for nothing.
  Object.assign(ctx.request, { rawBody: undefined })
  refuseDeep(ctx)
  ctx.state.uploads = uploadedFiles(ctx)
  if (!token) return
  requireFormToken(ctx, bodyOf(ctx))
  if (isForm(ctx) && !ctx.get('Authorization')) requireAuthor(ctx, bodyOf(ctx))
  await signInAgainIfAsked(ctx, bodyOf(ctx))
}

/**
 * Runs a parser, and then the rest of the request. Throws 400, 413 or 415 for what it cannot read.
 */
export async function readThen(parse: Middleware, ctx: Context, next: () => Promise<void>): Promise<void> {
  // A closed connection emits no more events: a parser would wait for ever. An empty body that was
  // looked into has ended as well, and no parser reads it.
  if (ctx.req.destroyed && !ctx.req.readableEnded) throw new Problem(400, 'malformed_body')
  await readable(parse, ctx)
  await next()
}

async function readable(parse: Middleware, ctx: Context): Promise<void> {
  await Promise.resolve(parse(ctx, async () => {})).catch(refuseUnreadable)
}

/** Received on disk before its turn starts, so that a slow sender holds up no other request. */
function receiveThenRead(large: LargeBody, ctx: Context, next: () => Promise<void>): Promise<void> {
  return inFolderOfItsOwn((folder) => {
    const file = path.join(folder, 'body')
    const readInTurn = async () => {
      await readable(largeBody(file, large), ctx)
      await next()
    }
    return readThen(
      () => receive(ctx, file, large),
      ctx,
      () => inTurn(readInTurn),
    )
  })
}

/** When the parser refuses a file it reports no others and may open more, so the filter closes. */
function readFiles(options: object, ctx: Context, next: () => Promise<void>): Promise<void> {
  let unusable: Error | undefined
  const noFolder = (error: Error) => {
    unusable = error
  }
  return inFolderOfItsOwn(async (uploadDir) => {
    const fileWriteStreamHandler = ({ filepath }: { filepath: string }) => intoFile(ctx, filepath, unusable)
    let open = true
    const isPhoto = filesNamed(photoFields, ctx)
    const filter = (part: Parameters<typeof isPhoto>[0]) => open && isPhoto(part)
    const files = {
      multipart: true,
      formidable: { ...formidable, uploadDir, filter, fileWriteStreamHandler } as never,
    }
    const parse = parserOf({ ...options, ...files })
    try {
      await readThen(parse, ctx, next)
    } finally {
      open = false
    }
  }, noFolder)
}

/** Uploads go into a folder of their request, which is removed as a whole. */
async function inFolderOfItsOwn(
  act: (folder: string) => Promise<void>,
  noFolder: (error: Error) => void = refuseUnreadable,
): Promise<void> {
  const folder = path.join(config.uploadDir, randomUUID())
  try {
    // Not recursive at first: that says ENOENT of a read-only disk.
    await mkdir(folder, { mode: 0o700 })
      .catch((error) => {
        if (error.code !== 'ENOENT') throw error
        return mkdir(folder, { recursive: true, mode: 0o700 })
      })
      .catch(noFolder)
    await act(folder)
  } finally {
    // A file created during the removal makes it fail: retry.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One request at a time, until its response: 67 MB of JSON take 250 MB of memory while handled. */
function inTurn(act: () => Promise<void>): Promise<void> {
  const turn = last.then(act)
  last = turn.catch(() => {})
  return turn
}

/** The parsed body as an object. Throws 400 for any other JSON. */
export function bodyOf(ctx: Context): Record<string, unknown> {
  const { body } = ctx.request as { body?: unknown }
  if (body === undefined || body === '') return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem(400, 'malformed_body')
  return body as Record<string, unknown>
}

/** Levels of nesting; code that recurses into a body relies on this limit. */
const deepest = 50

/** Throws 400 for a body nested too deeply; checks it level by level, without recursion. */
export function refuseDeep(ctx: Context): void {
  let level: unknown[] = [bodyOf(ctx)]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new Problem(400, 'malformed_body')
    level = level.flatMap((box) => (Array.isArray(box) ? box : Object.values(box as object)).filter(isBox))
  }
}

const isBox = (value: unknown) => typeof value === 'object' && value !== null

/** Whether the fields came from an HTML form, where every value is text. */
export function isForm(ctx: Context): boolean {
  return Boolean(ctx.is('urlencoded', 'multipart'))
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

/** JSON sent as a form, as curl does without a type, would be one field with a strange name. */
function refuseJsonAsForm(ctx: Context): void {
  const [field = ''] = Object.keys(bodyOf(ctx))
  if (ctx.is('urlencoded') && /^\s*[[{]/.test(field)) throw new Problem(422, 'type_missing')
}

/** Parsers quote the body in their error messages, so only the status of the error is kept. */
function refuseUnreadable(error: Error & { status?: number; httpCode?: number; code?: unknown }): never {
  if (typeof error.code === 'string' && /^(ENOSPC|EROFS|EACCES|EDQUOT|EIO)$/.test(error.code))
    throw uploadsAway(error)
  if (error instanceof Problem) throw error
  const status = error.status ?? error.httpCode
  if (status === 413) throw new Problem(413, 'too_large')
  if (status === 415) throw new Problem(415, 'unsupported_type')
  throw new Problem(400, 'malformed_body')
}
