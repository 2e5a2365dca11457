import type { CsvRecord } from '../../platform/http/request/readCsv.js'
import type { Text } from '../../text/index.js'
import { westernDigits } from '../../vocabulary/digits.js'
import { addressPattern } from '../../vocabulary/inputRules.js'
import { hasVisible } from '../../vocabulary/plainText.js'
import { hoursFrom } from '../../vocabulary/time/openingHours.js'

/** What can be imported from a spreadsheet. */
export const importKinds = ['units', 'contacts', 'residents'] as const
export type ImportKind = (typeof importKinds)[number]

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
type Column = { needed: boolean; otherNames: readonly string[]; check: (text: string) => Finding }

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

const hours = (text: string): Finding => {
  const read = hoursFrom(text)
  return read === null || read.length > 100 ? { code: 'not_hours', value: text } : null
}

const saysYes = ['yes', 'true', '1', 'x', 'si', 'sí']
const saysNo = ['', 'no', 'false', '0']

/** Whether a cell says yes; undefined for what is neither yes nor no. */
export function truthOf(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (saysYes.includes(word)) return true
  return saysNo.includes(word) ? false : undefined
}

const yesOrNo = (text: string): Finding =>
  truthOf(text) === undefined ? { code: 'not_yes_no', value: text } : null

const needed = (check: Column['check'], ...otherNames: string[]): Column => ({
  needed: true,
  otherNames,
  check,
})
const optional = (check: Column['check'], ...otherNames: string[]): Column => ({
  needed: false,
  otherNames,
  check,
})

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
    hoursWeekdays: optional(hours, 'hoursweekdays', 'hours weekdays', 'hours monday to friday'),
    hoursSaturday: optional(hours, 'hourssaturday', 'hours saturday', 'hours on saturday'),
    hoursSunday: optional(hours, 'hourssunday', 'hours sunday', 'hours on sunday'),
    notes: optional(upTo(2_000), 'note'),
    isPublic: optional(yesOrNo, 'ispublic', 'public', 'is public'),
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
  if (!header) return { rows: [], ignored: [], problems: [noRows(1, 1)] }
  const columns = sheetColumns[kind]
  const fields = header.cells.map((cell) => columnNamed(columns, cell))
  const ignored = header.cells.filter((cell, i) => fields[i] === null && cell.trim() !== '')
  const problemsOfHeader = headerProblems(columns, fields, header)
  if (problemsOfHeader.length > 0) return { rows: [], ignored, problems: problemsOfHeader }
  if (records.length === 0) return { rows: [], ignored, problems: [noRows(header.row, header.line)] }
  const rows = records.map((record) => rowOf(fields, record))
  const problems = records.flatMap((record, i) => [
    ...tooManyCells(fields, record),
    ...cellProblems(columns, rows[i]!),
  ])
  return { rows, ignored, problems }
}

function noRows(row: number, line: number): RowProblem {
  return { row, line, column: null, code: 'no_rows' }
}

function columnNamed(columns: Record<string, Column>, cell: string): string | null {
  const name = cell
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
  const [field] =
    Object.entries(columns).find(
      ([column, { otherNames }]) => column === name || otherNames.includes(name),
    ) ?? []
  return field ?? null
}

function headerProblems(
  columns: Record<string, Column>,
  fields: (string | null)[],
  { row, line }: CsvRecord,
): RowProblem[] {
  return Object.entries(columns).flatMap(([column, { needed }]): RowProblem[] => {
    const times = fields.filter((field) => field === column).length
    if (times > 1) return [{ row, line, column, code: 'column_twice' }]
    return times === 0 && needed ? [{ row, line, column, code: 'column_missing' }] : []
  })
}

function rowOf(fields: (string | null)[], { row, line, cells }: CsvRecord): SheetRow {
  const entries = fields.flatMap((column, i) => {
    if (!column) return []
    const text = cells[i] ?? ''
    const tidy = hasVisible(text) ? text.trim() : ''
    return [[column, column === 'floor' ? westernDigits(tidy) : tidy]]
  })
  return { row, line, cells: Object.fromEntries(entries) }
}

function cellProblems(columns: Record<string, Column>, { row, line, cells }: SheetRow): RowProblem[] {
  return Object.entries(cells).flatMap(([column, text = '']) => {
    const { needed, check } = columns[column]!
    const finding: Finding = needed && text === '' ? { code: 'empty' } : check(text)
    return finding ? [{ row, line, column, ...finding }] : []
  })
}

/** An unquoted comma inside a text shifts the rest of its row. */
function tooManyCells(fields: unknown[], { row, line, cells }: CsvRecord): RowProblem[] {
  const more = cells.slice(fields.length).some((cell) => cell.trim() !== '')
  return more ? [{ row, line, column: null, code: 'too_many_cells', value: fields.length }] : []
}
