import { setImmediate as others } from 'node:timers/promises'
import { parse } from 'csv'

/** One record. `row` as a spreadsheet counts, `line` as a text editor does; both from 1, the header included. */
export type CsvRecord = { row: number; line: number; cells: string[] }

/** What could be read of a text. `broken`: where a quotation mark opens that nothing closes. `more`: there were more records than asked for. */
export type CsvTable = { records: CsvRecord[]; broken: { row: number; line: number } | null; more: boolean }

const delimiters = [',', ';', '\t'] as const
/** Bytes parsed before others get their turn: a large sheet takes half a second in all. */
const slice = 32 * 1024

/** The records of a CSV text with line feeds as line ends, at most `most` of them; empty lines count and are left out. */
export async function readCsv(text: string, most: number): Promise<CsvTable> {
  const records: CsvRecord[] = []
  let lines = 0
  let rows = 0
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

/** Gives the parser the whole text, a slice at a time; true when it ends inside of quotation marks. */
async function fed(parser: ReturnType<typeof parse>, bytes: Buffer): Promise<boolean> {
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

/** The one its first line has most of, outside of quotation marks: spreadsheets of half the world write semicolons. */
function delimiterOf(text: string): string {
  const [first = ''] = text.replace(/"[^"]*"?/g, '').split('\n', 1)
  const counts = delimiters.map((delimiter) => first.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}
