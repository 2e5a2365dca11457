import type { Transform } from 'node:stream'
import { setImmediate as eventLoopTurn } from 'node:timers/promises'

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
  const broken = await parseInSlices(parser, Buffer.from(text))
  return {
    records: records.filter(({ row }) => row <= most),
    broken: broken ? { row: rows + 1, line: lines + 1 } : null,
    more: rows > most,
  }
}

/** Feeds the parser slice by slice; true when the text ends inside quotation marks. */
async function parseInSlices(parser: Transform, bytes: Buffer): Promise<boolean> {
  const over = new Promise<{ code?: string } | null>((resolve) => {
    parser.once('error', (error) => resolve(error as { code?: string })).once('end', () => resolve(null))
  })
  for (let at = 0; at < bytes.length && parser.writable; at += slice) {
    parser.write(bytes.subarray(at, at + slice))
    await eventLoopTurn()
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
