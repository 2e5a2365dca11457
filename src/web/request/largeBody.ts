import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { limits } from '../../domain/system/limits.js'
import { Problem } from '../answer/problem.js'
import type { Context, Middleware } from '../context.js'

/** JSON above the usual size, on a route that takes such: how many bytes, and who parses them off the event loop. */
export type LargeJson = { bytes: number; parse: (bytes: Uint8Array<ArrayBuffer>) => Promise<unknown> }

/** JSON of unknown size, compressed, or said to be above the usual limit. */
export function mayBeLarge(ctx: Context): boolean {
  const { headers } = ctx.req
  const small =
    Number(headers['content-length']) <= limits.jsonBytes && headers['content-encoding'] === undefined
  return !small && Boolean(ctx.is('json', '+json'))
}

/** Reads such a body into `ctx.request.body`; 413 as soon as there is more of it than may be. */
export function largeJson({ bytes, parse }: LargeJson): Middleware {
  return async (ctx) => {
    const whole = await wholeOf(inflated(ctx), bytes)
    Object.assign(ctx.request, { body: whole.length === 0 ? {} : await parse(whole) })
  }
}

/** In memory of its own, which can be given away; the stream is left open for the answer on its connection. */
async function wholeOf(stream: Readable, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
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

const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

function inflated({ req }: Context): Readable {
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return req
  const decoder = decoders.get(encoding)?.()
  if (!decoder) throw new Problem(415, 'unsupported_type')
  // A sender who hangs up would leave the decoder waiting, and with it everybody behind.
  req.once('error', (error) => decoder.destroy(error))
  return req.pipe(decoder)
}
