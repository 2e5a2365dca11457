import { once } from 'node:events'
import { pipeline, type Readable, Transform } from 'node:stream'
import { to as copyTo } from 'pg-copy-streams'
import { dedicatedConnection } from './dedicatedConnection.js'

/**
 * Milliseconds one file may take: while it is read, the database cannot clean up any deleted row.
 */
const longest = 600_000
/** Milliseconds in which no row arrives, or none is taken, until the file is given up. */
const patience = 60_000
/** Bytes that wait for the reader of a file. */
const bufferBytes = 128 * 1024

/**
 * Settings of this transaction. No hash or sort, which would hold the first row back until the last
 * is read; no parallel workers, which other queries need.
 */
const settings = `set local statement_timeout = ${longest}; set local timezone = 'UTC'; set local jit = off;
  set local enable_sort = off; set local enable_hashjoin = off; set local enable_mergejoin = off;
  set local max_parallel_workers_per_gather = 0`

const byteOrderMarkBytes = Buffer.from('\ufeff')
const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

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
  const client = await dedicatedConnection().catch((error: unknown) => {
    open -= 1
    throw error
  })
  const end = () => {
    open -= 1
    // Also ends a statement that no one reads any more.
    void client.end()
  }
  try {
    await client.query(`begin read only; ${settings}`)
  } catch (error) {
    end()
    throw error
  }
  // Made only now: it gives up when no row comes, and who hears of that is the pipeline. A file is
  // whole when the server has said so, not when its rows have ended.
  const file = linesOfRfc4180(byteOrderMark, () => client.query('commit'))
  pipeline(client.query(copyTo(copyOf(rows))), file, end)
  await once(file, 'readable')
  return file
}

function copyOf({ select, quoted }: CsvSelect): string {
  const quotes = quoted.length > 0 ? `, force_quote (${quoted.map((name) => `"${name}"`).join(', ')})` : ''
  return `copy (${select}) to stdout with (format csv, header${quotes})`
}

/**
 * Ends rows as RFC 4180 has it: COPY ends them with a line feed alone. Line feeds inside quotes are
 * kept.
 */
function linesOfRfc4180(byteOrderMark: boolean, finish: () => Promise<unknown>): Transform {
  const withLineEnds = lineEndsOfRfc4180()
  let owesByteOrderMark = byteOrderMark
  const stalled = setTimeout(() => lines.destroy(new Error('the reader stands still')), patience)
  const lines = new Transform({
    highWaterMark: bufferBytes,
    transform(bytes: Buffer, _encoding, done) {
      stalled.refresh()
      if (owesByteOrderMark) lines.push(byteOrderMarkBytes)
      owesByteOrderMark = false
      done(null, withLineEnds(bytes))
    },
    flush(done) {
      finish().then(() => done(), done)
    },
    destroy(error, done) {
      clearTimeout(stalled)
      done(error)
    },
  })
  return lines
}

/**
 * Returns what makes the line ends of each block of a file, one after the other. It looks for line
 * feeds and quotes by the native search, which takes a third of a look at each byte.
 */
function lineEndsOfRfc4180(): (bytes: Buffer) => Buffer {
  let isQuoted = false
  return (bytes) => {
    const ends: number[] = []
    let nextQuote = bytes.indexOf(quote)
    const passQuotesBefore = (end: number) => {
      while (nextQuote !== -1 && nextQuote < end) {
        isQuoted = !isQuoted
        nextQuote = bytes.indexOf(quote, nextQuote + 1)
      }
    }
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
      passQuotesBefore(at)
      if (!isQuoted) ends.push(at)
    }
    passQuotesBefore(bytes.length)
    const ended = Buffer.allocUnsafe(bytes.length + ends.length)
    let [from, to] = [0, 0]
    for (const end of ends) {
      to += bytes.copy(ended, to, from, end)
      ended[to++] = carriageReturn
      from = end
    }
    bytes.copy(ended, to, from)
    return ended
  }
}
