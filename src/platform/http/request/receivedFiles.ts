import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform, Writable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { limits } from '../../../vocabulary/limits.js'
import { StorageUnavailable } from '../../photos/storage.js'
import type { Context, Middleware, UploadedFile } from '../context.js'
import { Problem } from '../problem.js'

/** The name of the file parts that an operation takes; null where it takes none. */
export type FileParts = 'photos[]' | 'file' | null

/**
 * What is known of the files of a request while they are written. `paths`: in the order of their
 * parts, because the parser tells of each when its file is closed; `fault`: why one could not be
 * written; `areStray`: some have a name that the route does not take.
 */
type Receiving = { paths: string[]; fault?: Error; areStray: boolean }

const received = new WeakMap<Context, Receiving>()

function receiving(ctx: Context): Receiving {
  const known = received.get(ctx) ?? { paths: [], areStray: false }
  received.set(ctx, known)
  return known
}

/** Whether the body has files that its route does not take, under another name. */
export const hasStrayFiles = (ctx: Context): boolean => receiving(ctx).areStray

type Part = { name: string | null; originalFilename: string | null }

/** Takes the files of these names; others are noted. A part without a file name was not chosen. */
export function filesNamed(names: ReadonlySet<string>, ctx: Context): (part: Part) => boolean {
  return ({ name, originalFilename }) => {
    if (!originalFilename) return false
    const isTaken = names.has(name ?? '')
    if (!isTaken) receiving(ctx).areStray = true
    return isTaken
  }
}

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
export function mayBeLarge(ctx: Context, { types = [] }: LargeBody): boolean {
  if (types.length > 0 && ctx.is([...types])) return true
  const { headers } = ctx.req
  const small =
    Number(headers['content-length']) <= limits.jsonBytes && headers['content-encoding'] === undefined
  return !small && Boolean(ctx.is('json', '+json'))
}

/** Writes a large body to a file. Throws 413 above the limit, 415 for an unknown encoding. */
export async function receive({ req }: Context, file: string, { bytes }: LargeBody): Promise<void> {
  decoderFor(req)
  const received = await open(file, 'wx', 0o600)
  try {
    let size = 0
    // The stream stays open: its connection still has to carry the response.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytes) throw new Problem(413, 'too_large')
      await received.write(chunk)
    }
  } finally {
    await received.close()
  }
}

/** Parses a received body into `ctx.request.body`. Throws 413 above the limit once decompressed. */
export function largeBody(file: string, { bytes, parse }: LargeBody): Middleware {
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

/**
 * Writes one file part to disk. A disk that takes no more is noted, and the rest of the part is
 * read and dropped: the parser would lose the form's fields with it, or take a file cut short for a
 * whole one. `unusable`: its folder's error.
 */
export function intoFile(ctx: Context, path: string, unusable?: Error): Writable {
  const file = createWriteStream(path)
  const known = receiving(ctx)
  known.paths.push(path)
  file.on('error', (error) => {
    known.fault ??= unusable ?? error
  })
  const closed = (done: () => void) => (file.closed ? done() : file.once('close', done))
  return new Writable({
    write: (chunk, _encoding, done) => void (file.destroyed ? done() : file.write(chunk, () => done())),
    final: (done) => {
      closed(() => done())
      file.end()
    },
    destroy: (error, done) => {
      closed(() => done(error))
      file.destroy()
    },
  })
}

/** Throws 503 when a file of this request could not be written; the cause is for the log. */
export function requireWritten(ctx: Context): void {
  const { fault } = receiving(ctx)
  if (fault) throw uploadsAway(fault)
}

/** The disk of uploads is full, read-only or broken. */
export function uploadsAway(cause: unknown): Problem {
  return new Problem(503, 'photo_store_away', {
    headers: { 'Retry-After': '30' },
    cause: new StorageUnavailable({ cause }),
  })
}

type ParsedFile = { filepath: string; size: number; hash: string; originalFilename: string | null }

/** The files of a body that was read, in its order, still in the upload folder. */
export function uploadedFiles(ctx: Context): UploadedFile[] {
  const { files = {} } = ctx.request as { files?: Record<string, ParsedFile | ParsedFile[]> }
  const { paths } = receiving(ctx)
  const place = ({ path }: UploadedFile) => paths.indexOf(path)
  const uploads = Object.entries(files).flatMap(([field, parts]) =>
    [parts].flat().map(({ filepath, size, hash, originalFilename }) => {
      return { path: filepath, size, hash, field, name: originalFilename ?? '' }
    }),
  )
  return uploads.sort((a, b) => place(a) - place(b))
}
