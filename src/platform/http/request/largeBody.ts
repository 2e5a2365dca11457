import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { limits } from '../../../vocabulary/limits.js'
import type { Context, Middleware } from '../context.js'
import { Problem } from '../problem.js'
import { parseOrRefuse, parseThen, refuseUnreadable } from './bodyParser.js'
import { withUploadFolder } from './uploadFolder.js'

/**
 * A body above the usual size: its limit in bytes, and a parser that runs off the event loop.
 * `types`: read so in every size, beside JSON. `fields` makes of what was read, in either way, what
 * the route reads.
 */
export type LargeBody = {
  bytes: number
  parse: (bytes: Uint8Array<ArrayBuffer>, type: string) => Promise<unknown>
  types?: readonly string[]
  fields?: (fields: Record<string, unknown>) => Record<string, unknown>
}

/** One of its types, or JSON of unknown size, compressed, or said to be above the usual limit. */
export function isReadAsLarge(ctx: Context, { types = [] }: LargeBody): boolean {
  if (types.length > 0 && ctx.is([...types])) return true
  const { headers } = ctx.req
  const isSmall =
    Number(headers['content-length']) <= limits.jsonBytes && headers['content-encoding'] === undefined
  return !isSmall && Boolean(ctx.is('json', '+json'))
}

/**
 * Reads a large body, and runs the rest of the request. It is received on disk before its turn
 * starts, so that a slow sender holds up no other request.
 */
export function readLargeThen(large: LargeBody, ctx: Context, next: () => Promise<void>): Promise<void> {
  return withUploadFolder((folder) => {
    const file = path.join(folder, 'body')
    const parseInTurn = () =>
      inTurn(async () => {
        await parseOrRefuse(parserOfReceived(file, large), ctx)
        await next()
      })
    return parseThen(() => receive(ctx, file, large), ctx, parseInTurn)
  }, refuseUnreadable)
}

/** The last turn that was given, which may be under way. */
let lastTurn: Promise<unknown> = Promise.resolve()

/** One request at a time, until its response: 67 MB of JSON take 250 MB of memory while handled. */
function inTurn(act: () => Promise<void>): Promise<void> {
  const turn = lastTurn.then(act)
  lastTurn = turn.catch(() => {})
  return turn
}

/** Writes a large body to a file. Throws 413 above the limit, 415 for an unknown encoding. */
async function receive({ req }: Context, file: string, { bytes }: LargeBody): Promise<void> {
  decoderFor(req)
  const received = await open(file, 'wx', 0o600)
  try {
    let size = 0
    // The stream stays open: its connection still has to carry the response.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytes) throw new Problem(413, 'too_large')
      // Unlike `write`, which may write less than it gets as a disk fills up.
      await received.appendFile(chunk)
    }
  } finally {
    await received.close()
  }
}

/** Parses a received body into `ctx.request.body`. Throws 413 above the limit once decompressed. */
function parserOfReceived(file: string, { bytes, parse }: LargeBody): Middleware {
  return async (ctx) => {
    const whole = await wholeOf(unpacked(ctx.req, file), bytes)
    Object.assign(ctx.request, {
      body: whole.length === 0 ? {} : await parse(whole, ctx.get('Content-Type')),
    })
  }
}

/** Copied into a buffer of its own, which can be transferred to another thread. */
async function wholeOf(stream: Readable, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > most) throw new Problem(413, 'too_large')
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

const decoders = new Map<string, (() => Transform) | null>([
  ['identity', null],
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

function decoderFor({ headers }: IncomingMessage): (() => Transform) | null {
  const decoder = decoders.get((headers['content-encoding'] ?? 'identity').toLowerCase())
  if (decoder === undefined) throw new Problem(415, 'unsupported_type')
  return decoder
}

function unpacked(req: IncomingMessage, file: string): Readable {
  const decoder = decoderFor(req)
  const received = createReadStream(file)
  // An error of the file stream reaches the reader through the decoder.
  return decoder ? pipeline(received, decoder(), () => {}) : received
}
