import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import type { Middleware } from '../context.js'
import { memoized } from '../memoized.js'

/** A weak tag: the same body has the same tag in every encoding. */
function tagOf(body: string | Buffer): string {
  return `W/"${createHash('sha1').update(body).digest('base64url').slice(0, 20)}"`
}

/**
 * Whether If-None-Match names one of these tags (without quotes). The request's Cache-Control:
 * no-cache is ignored: clients that compare tags themselves send it along.
 */
export function matchesEtag(header: string | undefined, ...tags: string[]): boolean {
  if (!header) return false
  const headerTags = header.split(',').map((each) => each.trim().replace(/^W\//, '').replaceAll('"', ''))
  return headerTags.includes('*') || tags.some((tag) => headerTags.includes(tag))
}

/** Gives successful reads an ETag and answers 304 when the client has that body (decision 6.16). */
export function conditional(): Middleware {
  return async (ctx, next) => {
    await next()
    const { body } = ctx
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.status !== 200) return
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return
    if (!ctx.response.get('ETag')) ctx.set('ETag', tagOf(body as string))
    if (matchesEtag(ctx.get('If-None-Match'), ctx.response.get('ETag').replace(/^W\/|"/g, '')))
      ctx.status = 304
  }
}

const encodings = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof encodings)[number]

/** Bytes; below this a compressed body saves less than its headers cost. */
const worthwhile = 900
const compressible = /^(text\/|application\/(json|problem\+json|javascript|xml|manifest\+json)|image\/svg)/

const brotli = promisify<Buffer, object, Buffer>(brotliCompress)
const gzipped = promisify<Buffer, object, Buffer>(gzip)

/** The encoding that Accept-Encoding prefers (RFC 9110 §12.5.3); of equals, the smaller one. */
export const pickEncoding = memoized((header): Encoding => {
  const wanted = new Negotiator({ headers: { 'accept-encoding': header } })
  return wanted.encoding(encodings, { preferred: encodings }) ?? 'identity'
})

/**
 * Compresses off the event loop. `quality` 1–11: 5 per request, 6 for what is cached, 11 for files
 * and small pages that are cached.
 */
export async function compressed(bytes: Buffer, encoding: Encoding, quality = 5): Promise<Buffer> {
  if (encoding === 'identity') return bytes
  if (encoding === 'gzip') return gzipped(bytes, { level: Math.min(quality + 1, 9) })
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

/** Compresses text responses above the minimum size. Streams are left alone. */
export function compress(): Middleware {
  return async (ctx, next) => {
    await next()
    const { body } = ctx
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return
    if (ctx.response.get('Content-Encoding') || !compressible.test(ctx.type)) return
    ctx.vary('Accept-Encoding')
    const bytes = Buffer.from(body as string)
    const encoding = pickEncoding(ctx.get('Accept-Encoding'))
    const isPlain = encoding === 'identity' || bytes.length < worthwhile || ctx.method === 'HEAD'
    if (!isPlain) ctx.set('Content-Encoding', encoding)
    // Also when uncompressed: a slow reader then holds these bytes only, not the string as well.
    ctx.body = isPlain ? bytes : await compressed(bytes, encoding)
  }
}
