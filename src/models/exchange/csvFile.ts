import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import pg from 'pg'
import { connection } from '../../database.js'

/** Milliseconds one file may take at most: as long as it is read, the server keeps every row that was there at its start. */
const longest = 600_000
/** Milliseconds the reader may take nothing before it is taken for gone. */
const patience = 60_000

/**
 * Of this one transaction only. Rows are looked up and sent in the order they are found: a hash or a sort would hold the
 * first back until the last is read. Parallel work is left to others.
 */
const settings = `set local statement_timeout = ${longest}; set local timezone = 'UTC'; set local jit = off;
  set local enable_sort = off; set local enable_hashjoin = off; set local enable_mergejoin = off;
  set local max_parallel_workers_per_gather = 0`

const markBytes = Buffer.from('\ufeff')
const [carriageReturn, lineFeed] = [13, 10]

/** What pg keeps to itself: the rows of a COPY as they arrive, and the socket they arrive on. */
type Copy = pg.Query & { handleCopyData: (message: { chunk: Buffer }) => void; query_timeout: number }
type Client = pg.PoolClient & { connection: { stream: Socket } }

let open = 0

/** How many files this process is reading from the database at this moment. */
export function openCsvFiles(): number {
  return open
}

/** What is SQL of ours, and which of its columns are put in quotation marks: those with text of people's. */
export type CsvSelect = { select: string; quoted: readonly string[] }

/**
 * The rows of a query as a CSV file, its column names first: UTF-8, lines as RFC 4180 has them, and a byte order mark
 * before them only where it is asked for (decision 7.7): programs read it as a part of the first name. Streamed at the reader's pace on a connection of its own, which is given back at the end and closed when the stream
 * fails or is destroyed. Resolves with the first bytes; throws what goes wrong before. The joins of `select` are lookups
 * by a key; it runs with the zone UTC.
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
      leave(error ?? new Error('nobody reads the file any more'))
      done(error)
    },
  })
  const stalled = setTimeout(() => stream.destroy(new Error('the reader stands still')), patience)
  const block = blocks(byteOrderMark ? markBytes : null, (bytes) => {
    if (!stream.push(bytes)) socket.pause()
    begun()
  })
  const finish = (error?: Error) => {
    if (error) return stream.destroy(error)
    clearTimeout(stalled)
    block.flush()
    leave()
    stream.push(null)
  }
  client.query(copy(rows, block.add, finish))
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

/** Gives the connection back, once: to the pool when its work is done, otherwise closed. */
function leaver(client: Client): (error?: Error) => void {
  const { stream: socket } = client.connection
  let left = false
  return (error) => {
    if (left) return
    left = true
    open -= 1
    socket.resume()
    client.release(error)
    // Left to itself, a pipelining connection waits for the answer to its last query.
    if (error) socket.destroy()
  }
}

/**
 * Joins the rows of one read of the connection into one block. They have to be copied: the connection uses its memory
 * again at the next read. The server ends a row with a line feed; inside of quotes the line feeds stay as they are.
 */
function blocks(first: Buffer | null, push: (bytes: Buffer) => void) {
  let rows: Buffer[] = []
  let size = first?.length ?? 0
  let position = size
  const flush = () => {
    if (rows.length === 0) return
    const bytes = Buffer.allocUnsafe(size)
    if (position > 0) first?.copy(bytes)
    for (const row of rows) {
      position += row.copy(bytes, position, 0, row.length - 1)
      bytes[position++] = carriageReturn!
      bytes[position++] = lineFeed!
    }
    rows = []
    size = 0
    position = 0
    push(bytes)
  }
  const add = (row: Buffer) => {
    if (rows.length === 0) process.nextTick(flush)
    rows.push(row)
    size += row.length + 1
  }
  return { add, flush }
}
