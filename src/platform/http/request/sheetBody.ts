import { Writable } from 'node:stream'
import { koaBody } from 'koa-body'
import { Problem } from '../answer/problem.js'
import type { Context, Middleware } from '../context.js'
import { refuseForeign, requireFormToken } from '../session/csrf.js'
import { bodyOf, formFields, refuseDeep } from './body.js'
import { filesNamed } from './fileParts.js'
import { importLimits } from './importSheet.js'
import { decodedText } from './textEncoding.js'

/**
 * Encoded in a form a sheet grows up to three times, in JSON twice: the sheet's own limit applies
 * first.
 */
const most = 4 * importLimits.bytes
const parsing = {
  json: true,
  urlencoded: true,
  text: false,
  multipart: true,
  jsonLimit: most,
  formLimit: most,
}
const queryString = { ...formFields, parameterLimit: 20 }

/** Bytes of a file that are kept: one more than allowed, enough to refuse it. */
const kept = importLimits.bytes + 1

/**
 * Reads a body with a sheet: JSON, or a form with the sheet as `file` or as text in `csv`. Leaves
 * the fields in `ctx.request.body`, the file's text as `csv`. The file is held in memory and never
 * stored.
 */
export function sheetBody(): Middleware {
  return async (ctx, next) => {
    refuseForeign(ctx)
    if (!ctx.is('json', 'urlencoded', 'multipart')) throw new Problem(415, 'unsupported_type')
    const file: Buffer[] = []
    const options = { ...parsing, queryString, formidable: formidable(ctx as Context, file) as never }
    const parse = koaBody(options) as unknown as Middleware
    await Promise.resolve(parse(ctx, async () => {})).catch(refuseUnreadable)
    refuseDeep(ctx)
    const fields = bodyOf(ctx)
    const bytes = Buffer.concat(file)
    const csv = bytes.length > 0 ? decodedText(bytes) : fields.csv
    Object.assign(ctx.request, { rawBody: undefined, body: { ...fields, csv } })
    requireFormToken(ctx as Context, fields)
    await next()
  }
}

const sheetFields = new Set(['file'])

function formidable(ctx: Context, file: Buffer[]) {
  return {
    allowEmptyFiles: true,
    minFileSize: 0,
    maxFiles: 1,
    maxFileSize: 10 * importLimits.bytes,
    maxFields: 20,
    maxFieldsSize: most,
    filter: filesNamed(sheetFields, ctx),
    fileWriteStreamHandler: () => keeping(file),
  }
}

function keeping(chunks: Buffer[]): Writable {
  let size = 0
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (size < kept) chunks.push(chunk)
      size += chunk.length
      done()
    },
  })
}

/** Parsers quote the body in their error messages, so only the status of the error is kept. */
function refuseUnreadable(error: { status?: number; httpCode?: number }): never {
  if ((error.status ?? error.httpCode) === 413) throw new Problem(413, 'too_large')
  throw new Problem(400, 'malformed_body')
}
