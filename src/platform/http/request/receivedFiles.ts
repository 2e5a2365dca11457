import { createWriteStream } from 'node:fs'
import { Writable } from 'node:stream'
import { Problem } from '../answer/problem.js'
import type { Context, UploadedFile } from '../context.js'

/**
 * Writes one file part to disk. A disk that takes no more is noted, and the rest of the part is
 * read and dropped: the parser would lose the form's fields with it, or take a file cut short for a
 * whole one. `unusable`: its folder's error.
 */
export function intoFile(ctx: Context, path: string, unusable?: Error): Writable {
  const file = createWriteStream(path)
  ctx.state.parts = [...(ctx.state.parts ?? []), path]
  file.on('error', (error) => {
    ctx.state.uploadFault ??= unusable ?? error
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
export function requireWritten({ state: { uploadFault } }: Context): void {
  if (uploadFault) throw uploadsAway(uploadFault)
}

/** The disk of uploads is full, read-only or broken. */
export function uploadsAway(cause: unknown): Problem {
  return new Problem(503, 'photo_store_away', { headers: { 'Retry-After': '30' }, cause })
}

/** The files of a body that was read, in its order, still in the upload folder. */
export function uploadedFiles(ctx: Context): UploadedFile[] {
  const files = (ctx.request as { files?: Record<string, unknown> }).files ?? {}
  const place = ({ path }: UploadedFile) => ctx.state.parts?.indexOf(path) ?? 0
  const found = Object.entries(files).flatMap(([field, given]) =>
    [given].flat().map((file) => {
      const { filepath, size, hash, originalFilename } = file as {
        filepath: string
        size: number
        hash: string
        originalFilename: string | null
      }
      return { path: filepath, size, hash, field, name: originalFilename ?? '' }
    }),
  )
  return found.sort((a, b) => place(a) - place(b))
}
