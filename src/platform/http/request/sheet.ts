import { Writable } from 'node:stream'
import type { Context, Middleware } from '../context.js'
import { refuseForeign } from '../session/csrf.js'
import { checkSender } from './body.js'
import { loadBodyParser, parseThen, parsing, requireReadableType } from './bodyParser.js'
import { bodyOf, refuseDeepNesting, refuseJsonAsForm } from './parsedBody.js'
import { decodedText } from './sheetText.js'
import { filesNamed } from './uploads.js'

/** Limits of a spreadsheet; a file with this many rows still fits into the bytes. */
export const sheetLimits = { rows: 10_000, bytes: 2 * 1024 * 1024 } as const

/** A form triples a sheet's bytes, JSON doubles them: the sheet's own limit applies first. */
const most = 4 * sheetLimits.bytes
const sheetParsing = {
  ...parsing,
  multipart: true,
  jsonLimit: most,
  formLimit: most,
  queryString: { ...parsing.queryString, parameterLimit: 20 },
}

/** Bytes of a file that are kept: one more than allowed, enough to refuse it. */
const mostBytes = sheetLimits.bytes + 1

/**
 * Reads a body with a sheet: JSON, or a form with the sheet as `file` or as text in `csv`. Leaves
 * the fields in `ctx.request.body`, the file's text as `csv`. The file is held in memory and never
 * stored.
 */
export function sheetBody(): Middleware {
  return async (ctx, next) => {
    refuseForeign(ctx)
    await requireReadableType(ctx, ['multipart/form-data'])
    const file: Buffer[] = []
    const makeParser = await loadBodyParser()
    const parse = makeParser({ ...sheetParsing, formidable: formidableOptions(ctx, file) })
    await parseThen(parse, ctx, async () => {
      refuseJsonAsForm(ctx)
      refuseDeepNesting(ctx)
      const fields = bodyOf(ctx)
      const bytes = Buffer.concat(file)
      const csv = bytes.length > 0 ? decodedText(bytes) : fields.csv
      Object.assign(ctx.request, { rawBody: undefined, body: { ...fields, csv } })
      await checkSender(ctx)
      await next()
    })
  }
}

const sheetFields = new Set(['file'])

function formidableOptions(ctx: Context, file: Buffer[]) {
  return {
    allowEmptyFiles: true,
    minFileSize: 0,
    maxFiles: 1,
    maxFileSize: 10 * sheetLimits.bytes,
    maxFields: 20,
    maxFieldsSize: most,
    filter: filesNamed(sheetFields, ctx),
    fileWriteStreamHandler: () => collectInto(file),
  }
}

function collectInto(chunks: Buffer[]): Writable {
  let size = 0
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (size < mostBytes) chunks.push(chunk)
      size += chunk.length
      done()
    },
  })
}
