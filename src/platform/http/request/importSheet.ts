import { type Transform, Writable } from 'node:stream'
import { setImmediate as others } from 'node:timers/promises'
import type { Text } from '../../../text/index.js'
import { addressPattern } from '../../../vocabulary/inputRules.js'
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

/** What can be imported from a spreadsheet. */
export const importKinds = ['units', 'contacts', 'residents'] as const
export type ImportKind = (typeof importKinds)[number]

/** Limits of an import; a file with this many rows still fits into the bytes. */
export const importLimits = { rows: 10_000, bytes: 2 * 1024 * 1024 } as const

/** A problem of a row or of the sheet, by the key of its text. */
export type RowProblemCode = keyof Text['imports']['rowProblems']

/** `row` as a spreadsheet counts, `line` as a text editor does; `column`: null for a whole row. */
export type RowProblem = {
  row: number
  line: number
  column: string | null
  code: RowProblemCode
  /** For the text: the value found, a limit, or another row's number. */
  value?: string | number
}

/** A row's cells by column: no key where the sheet lacks the column; an empty cell is ''. */
export type SheetRow = { row: number; line: number; cells: Partial<Record<string, string>> }

/** A sheet with its header matched and each cell checked by itself. */
export type Sheet = { rows: SheetRow[]; problems: RowProblem[]; ignored: string[] }

type Finding = { code: RowProblemCode; value?: string | number } | null
type Column = { needed: boolean; also: readonly string[]; check: (text: string) => Finding }

const upTo =
  (most: number) =>
  (text: string): Finding =>
    [...text].length > most ? { code: 'too_long', value: most } : null

const email = (text: string): Finding => {
  if (text !== '' && !addressPattern.test(text)) return { code: 'not_email', value: text }
  return upTo(320)(text)
}

const floor = (text: string): Finding =>
  /^-?\d{1,3}$/.test(text) && Number(text) >= -20 && Number(text) <= 300
    ? null
    : { code: 'not_floor', value: text }

const needed = (check: Column['check'], ...also: string[]): Column => ({ needed: true, also, check })
const optional = (check: Column['check'], ...also: string[]): Column => ({ needed: false, also, check })

/** The columns of each kind, with the header names accepted for each. */
export const sheetColumns: Record<ImportKind, Record<string, Column>> = {
  units: {
    tower: needed(upTo(200), 'building', 'block'),
    number: needed(upTo(50), 'unit', 'flat', 'apartment'),
    floor: needed(floor, 'level', 'storey'),
  },
  contacts: {
    name: needed(upTo(200), 'contact'),
    label: optional(upTo(200), 'role', 'what they are for'),
    phone: optional(upTo(100), 'telephone', 'tel'),
    email: optional(email, 'e mail', 'mail', 'email address'),
    notes: optional(upTo(2_000), 'note'),
  },
  residents: {
    name: needed(upTo(200), 'full name'),
    email: needed(email, 'e mail', 'mail', 'email address'),
    tower: optional(upTo(200), 'building', 'block'),
    unit: optional(upTo(50), 'number', 'flat', 'apartment'),
  },
}

/** Reads a sheet: the first row names the columns, in any order; each cell is checked by itself. */
export function sheetOf(kind: ImportKind, [header, ...records]: CsvRecord[]): Sheet {
  if (!header) return { rows: [], ignored: [], problems: [nothing(1, 1)] }
  const columns = sheetColumns[kind]
  const places = header.cells.map((cell) => columnNamed(columns, cell))
  const ignored = header.cells.filter((cell, i) => places[i] === null && cell.trim() !== '')
  const misnamed = headerProblems(columns, places, header)
  if (misnamed.length > 0) return { rows: [], ignored, problems: misnamed }
  if (records.length === 0) return { rows: [], ignored, problems: [nothing(header.row, header.line)] }
  const rows = records.map((record) => rowOf(places, record))
  const problems = records.flatMap((record, i) => [
    ...surplus(places, record),
    ...cellProblems(columns, rows[i]!),
  ])
  return { rows, ignored, problems }
}

function nothing(row: number, line: number): RowProblem {
  return { row, line, column: null, code: 'no_rows' }
}

function columnNamed(columns: Record<string, Column>, cell: string): string | null {
  const name = cell
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
  const [found] =
    Object.entries(columns).find(([column, { also }]) => column === name || also.includes(name)) ?? []
  return found ?? null
}

function headerProblems(
  columns: Record<string, Column>,
  places: (string | null)[],
  { row, line }: CsvRecord,
): RowProblem[] {
  return Object.entries(columns).flatMap(([column, { needed }]): RowProblem[] => {
    const times = places.filter((place) => place === column).length
    if (times > 1) return [{ row, line, column, code: 'column_twice' }]
    return times === 0 && needed ? [{ row, line, column, code: 'column_missing' }] : []
  })
}

function rowOf(places: (string | null)[], { row, line, cells }: CsvRecord): SheetRow {
  const named = places.flatMap((column, i) => (column ? [[column, (cells[i] ?? '').trim()]] : []))
  return { row, line, cells: Object.fromEntries(named) }
}

function cellProblems(columns: Record<string, Column>, { row, line, cells }: SheetRow): RowProblem[] {
  return Object.entries(cells).flatMap(([column, text = '']) => {
    const { needed, check } = columns[column]!
    const finding: Finding = needed && text === '' ? { code: 'empty' } : check(text)
    return finding ? [{ row, line, column, ...finding }] : []
  })
}

/** An unquoted comma inside a text shifts the rest of its row. */
function surplus(places: unknown[], { row, line, cells }: CsvRecord): RowProblem[] {
  const more = cells.slice(places.length).some((cell) => cell.trim() !== '')
  return more ? [{ row, line, column: null, code: 'too_many_cells', value: places.length }] : []
}

/** A form triples a sheet's bytes, JSON doubles them: the sheet's own limit applies first. */
const most = 4 * importLimits.bytes
const sheetParsing = {
  ...parsing,
  multipart: true,
  jsonLimit: most,
  formLimit: most,
  queryString: { ...parsing.queryString, parameterLimit: 20 },
}

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

/** `row` as a spreadsheet counts, `line` as a text editor does; both from 1, with the header. */
type CsvRecord = { row: number; line: number; cells: string[] }

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
