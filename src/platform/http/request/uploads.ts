import { createWriteStream } from 'node:fs'
import { Writable } from 'node:stream'
import { limits } from '../../../vocabulary/limits.js'
import type { Context, UploadedFile } from '../context.js'
import { type MakeParser, parseThen } from './bodyParser.js'
import { uploadsAway, withUploadFolder } from './uploadFolder.js'

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
 * formidable's defaults are wrong here: without these a report without a photo is a 500 (the
 * browser's empty file part). Sizes are capped while streaming; a bad photo is refused by name
 * later.
 */
const formidableOptions = {
  multiples: true,
  allowEmptyFiles: true,
  minFileSize: 0,
  maxFiles: 4 * limits.photosPerPost,
  maxFileSize: 6 * limits.photoBytes,
  maxTotalFileSize: 6 * limits.photoBytes,
  maxFields: 100,
  maxFieldsSize: limits.formBytes,
  // Hashed while streaming, so that no photo is read again for the Idempotency-Key.
  hashAlgorithm: 'sha256' as const,
  onPart,
}

/** A part with a file name is a file, whatever its declared type: clients disagree on that. */
function onPart(
  part: { originalFilename: string | null; mimetype: string | null },
  handle: (part: never) => void,
): void {
  if (typeof part.originalFilename === 'string') part.mimetype ??= 'application/octet-stream'
  else part.mimetype = null
  handle(part as never)
}

const photoFields = new Set(['photos[]', 'photos'])

/** koa-body's options to read the fields of a multipart form, and to note and skip its files. */
export function fieldsAlone(ctx: Context) {
  const filter = ({ originalFilename }: Part) => {
    // An input without a file sends a part without a name.
    if (originalFilename) ctx.state.refusal.hadPhotos = true
    return false
  }
  return { multipart: true, formidable: { ...formidableOptions, filter } as never }
}

/**
 * Reads a form with its photos into the folder of its request, and runs the rest of the request.
 * When the parser refuses a file it reports no others and may open more, so the filter closes.
 */
export function readPhotosThen(
  makeParser: MakeParser,
  options: object,
  ctx: Context,
  next: () => Promise<void>,
): Promise<void> {
  let unusable: Error | undefined
  const onNoFolder = (error: Error) => {
    unusable = error
  }
  return withUploadFolder(async (uploadDir) => {
    const fileWriteStreamHandler = ({ filepath }: { filepath: string }) => intoFile(ctx, filepath, unusable)
    let isOpen = true
    const isPhoto = filesNamed(photoFields, ctx)
    const filter = (part: Part) => isOpen && isPhoto(part)
    const parse = makeParser({
      ...options,
      multipart: true,
      formidable: { ...formidableOptions, uploadDir, filter, fileWriteStreamHandler } as never,
    })
    try {
      await parseThen(parse, ctx, next)
    } finally {
      isOpen = false
    }
  }, onNoFolder)
}

/**
 * Writes one file part to disk. A disk that takes no more is noted, and the rest of the part is
 * read and dropped: the parser would lose the form's fields with it, or take a file cut short for a
 * whole one. `unusable`: its folder's error.
 */
function intoFile(ctx: Context, path: string, unusable?: Error): Writable {
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
