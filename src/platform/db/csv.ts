import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import pg from 'pg'
import { connection } from './database.js'
import { isoText } from './instants.js'

/** For a bracket of a regular expression: after these a spreadsheet starts a new cell or line. */
const separators = String.raw`,;|\t\n\r\v\f\u0085\u2028\u2029`
/** Spreadsheets skip these at the start of a cell: blanks, invisible characters, quotes. */
const passedOver = String.raw` "\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u206f\u3000\ufeff`
/** Characters that then start a formula: = + - @, with their full-width and small forms. */
const formulas = String.raw`=+@\uff0b\uff0d\uff1d\uff20\ufe62\ufe63\ufe66\ufe6b-`

const formula = `(^|[${separators}])([${passedOver}]*)('*[${formulas}])`
const lineStart = String.raw`^('*[\t\n\r])`
/** Most texts need no change, and this test costs a fifth of the replacement. */
const either = `(?:^|[${separators}])[${passedOver}]*'*[${formulas}]|^'*[\\t\\n\\r]`

/** A column of a file: its SQL, and whether it holds text written by people. */
export type CsvColumn = { sql: string; isText: boolean }

/**
 * A text column that no spreadsheet runs as a formula, whatever its separator (decision 7.7): an
 * apostrophe goes before a formula sign, after any there already, so removing one restores the
 * text.
 */
export const csvText = (column: string): CsvColumn => ({
  sql: `case when ${column} ~ ${literal(either)} then regexp_replace(regexp_replace(${column},
    ${literal(formula)}, ${literal(String.raw`\1\2'\3`)}, 'g'), ${literal(lineStart)}, ${literal(String.raw`'\1`)})
    else ${column} end`,
  isText: true,
})

/** A column of numbers or fixed words. */
export const csvPlain = (column: string): CsvColumn => ({ sql: column, isText: false })

/** An instant, in ISO 8601 as in JSON. */
export const csvInstant = (column: string) => csvPlain(isoText(column))

/** The select list of these columns, by heading, and the headings of text columns. */
export function columnsOf(columns: Record<string, CsvColumn>): { list: string; quoted: string[] } {
  const entries = Object.entries(columns)
  return {
    list: entries.map(([name, { sql }]) => `${sql} as "${name}"`).join(', '),
    quoted: entries.filter(([, { isText }]) => isText).map(([name]) => name),
  }
}

/** A quoted SQL literal, because COPY takes no parameters. Lists are arrays, instants ISO 8601. */
export function literal(value: string | number | Date | readonly number[]): string {
  if (typeof value === 'number') return String(Number(value))
  if (value instanceof Date) return literal(value.toISOString())
  return pg.escapeLiteral(typeof value === 'string' ? value : `{${value.map(Number).join()}}`)
}

/**
 * Milliseconds one file may take: while it is read, the database cannot clean up any deleted row.
 */
const longest = 600_000
/** Milliseconds without a read until the client counts as gone. */
const patience = 60_000

/**
 * Settings of this transaction. No hash or sort, which would hold the first row back until the last
 * is read; no parallel workers, which other queries need.
 */
const settings = `set local statement_timeout = ${longest}; set local timezone = 'UTC'; set local jit = off;
  set local enable_sort = off; set local enable_hashjoin = off; set local enable_mergejoin = off;
  set local max_parallel_workers_per_gather = 0`

const markBytes = Buffer.from('\ufeff')
const lineEnd = Buffer.from('\r\n')

/** Internals of pg: the rows of a COPY as they arrive, and their socket. */
type Copy = pg.Query & { handleCopyData: (message: { chunk: Buffer }) => void; query_timeout: number }
type Client = pg.PoolClient & { connection: { stream: Socket } }

let open = 0

/** Number of files this process is reading from the database. */
export function openCsvFiles(): number {
  return open
}

/** SQL of a file's rows, and the columns to quote: those with text written by people. */
type CsvSelect = { select: string; quoted: readonly string[] }

/**
 * The rows of a query as CSV (UTF-8, RFC 4180; byte order mark on request, decision 7.7), streamed
 * on a connection of its own, in UTC. Resolves with the first bytes; throws earlier errors.
 * `select` joins by keys only.
 */
export async function csvFile(rows: CsvSelect, { byteOrderMark = false } = {}): Promise<Readable> {
  open += 1
  const client = (await connection().catch((error: unknown) => {
    open -= 1
    throw error
  })) as Client
  return new Promise((resolve, reject) => {
    const file = streamed(client, rows, byteOrderMark, () => resolve(file))
    file.once('error', reject)
  })
}

function streamed(client: Client, rows: CsvSelect, byteOrderMark: boolean, begun: () => void): Readable {
  const { stream: socket } = client.connection
  const leave = leaver(client)
  const stream = new Readable({
    highWaterMark: 128 * 1024,
    read() {
      stalled.refresh()
      socket.resume()
    },
    destroy(error, done) {
      clearTimeout(stalled)
      leave(error ?? new Error('no one reads the file any more'))
      done(error)
    },
  })
  const stalled = setTimeout(() => stream.destroy(new Error('the reader stands still')), patience)
  if (byteOrderMark) stream.push(markBytes)
  // The rows of one read are joined into one block, which copies them: the connection reuses its
  // memory.
  let parts: Buffer[] = []
  const flush = () => {
    if (parts.length === 0) return
    if (!stream.push(Buffer.concat(parts))) socket.pause()
    parts = []
    begun()
  }
  // Rows end with a line feed; line feeds inside quotes are kept.
  const add = (row: Buffer) => {
    if (parts.length === 0) process.nextTick(flush)
    parts.push(row.subarray(0, -1), lineEnd)
  }
  const finish = (error?: Error) => {
    if (error) return stream.destroy(error)
    clearTimeout(stalled)
    flush()
    leave()
    stream.push(null)
  }
  client.query(copy(rows, add, finish))
  return stream
}

function copy(
  { select, quoted }: CsvSelect,
  add: (row: Buffer) => void,
  finish: (error?: Error) => void,
): Copy {
  const quotes = quoted.length > 0 ? `, force_quote (${quoted.map((name) => `"${name}"`).join(', ')})` : ''
  const query = new pg.Query(
    `${settings}; copy (${select}) to stdout with (format csv, header${quotes})`,
    finish,
  ) as Copy
  query.handleCopyData = ({ chunk }) => add(chunk)
  query.query_timeout = longest + 1_000
  return query
}

/** Releases the connection once: to the pool when its work is done, otherwise closed. */
function leaver(client: Client): (error?: Error) => void {
  const { stream: socket } = client.connection
  let left = false
  return (error) => {
    if (left) return
    left = true
    open -= 1
    socket.resume()
    client.release(error)
    // Without this, a pipelining connection waits for the answer to its last query.
    if (error) socket.destroy()
  }
}
