import { type Transform, Writable } from 'node:stream'
import { setImmediate as others } from 'node:timers/promises'
import type { Context, Middleware } from '../context.js'
import { refuseForeign, requireFormToken } from '../session/csrf.js'
import {
  bodyOf,
  bodyParser,
  decodedText,
  parsing,
  readThen,
  refuseDeep,
  requireReadableType,
} from './body.js'
import { filesNamed } from './receivedFiles.js'

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
    const parserOf = await bodyParser()
    await readThen(parserOf({ ...sheetParsing, formidable: formidable(ctx, file) }), ctx, async () => {
      refuseDeep(ctx)
      const fields = bodyOf(ctx)
      const bytes = Buffer.concat(file)
      const csv = bytes.length > 0 ? decodedText(bytes) : fields.csv
      Object.assign(ctx.request, { rawBody: undefined, body: { ...fields, csv } })
      requireFormToken(ctx, fields)
      await next()
    })
  }
}

const sheetFields = new Set(['file'])

function formidable(ctx: Context, file: Buffer[]) {
  return {
    allowEmptyFiles: true,
    minFileSize: 0,
    maxFiles: 1,
    maxFileSize: 10 * sheetLimits.bytes,
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
      if (size < mostBytes) chunks.push(chunk)
      size += chunk.length
      done()
    },
  })
}

/** `row` as a spreadsheet counts, `line` as a text editor does; both from 1, with the header. */
export type CsvRecord = { row: number; line: number; cells: string[] }

/** `broken`: where an unclosed quotation mark opens. `more`: there are more than asked for. */
type CsvTable = { records: CsvRecord[]; broken: { row: number; line: number } | null; more: boolean }

const delimiters = [',', ';', '\t'] as const
/** Bytes parsed before other work gets its turn; a large sheet takes half a second in all. */
const slice = 32 * 1024

/** At most `most` records of a CSV text with LF line ends; empty lines are counted but left out. */
export async function readCsv(text: string, most: number): Promise<CsvTable> {
  const records: CsvRecord[] = []
  let lines = 0
  let rows = 0
  // Loaded with the first spreadsheet.
  const { parse } = await import('csv')
  const parser = parse({
    delimiter: delimiterOf(text),
    record_delimiter: '\n',
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    to: most + 1,
  })
  parser.on('data', ({ record, info }: { record: string[]; info: { lines: number } }) => {
    rows += 1
    if (record.some((cell) => cell.trim() !== '')) records.push({ row: rows, line: lines + 1, cells: record })
    lines = info.lines
  })
  const broken = await fed(parser, Buffer.from(text))
  return {
    records: records.filter(({ row }) => row <= most),
    broken: broken ? { row: rows + 1, line: lines + 1 } : null,
    more: rows > most,
  }
}

/** Feeds the parser slice by slice; true when the text ends inside quotation marks. */
async function fed(parser: Transform, bytes: Buffer): Promise<boolean> {
  const over = new Promise<{ code?: string } | null>((resolve) => {
    parser.once('error', (error) => resolve(error as { code?: string })).once('end', () => resolve(null))
  })
  for (let at = 0; at < bytes.length && parser.writable; at += slice) {
    parser.write(bytes.subarray(at, at + slice))
    await others()
  }
  if (parser.writable) parser.end()
  const error = await over
  if (error && error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error
  return error !== null
}

/** The most frequent separator of the first line, outside quotes: many sheets have semicolons. */
function delimiterOf(text: string): string {
  const [first = ''] = text.replace(/"[^"]*"?/g, '').split('\n', 1)
  const counts = delimiters.map((delimiter) => first.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}
