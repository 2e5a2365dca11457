import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hashOf } from '../../process/hashing.js'
import type { Context } from '../context.js'
import { once } from '../memoized.js'
import { retryAfter } from '../problem.js'
import { anyOrigin, securityHeaders } from '../protection/securityHeaders.js'
import { compressed, type Encoding, matchesEtag, pickEncoding } from './compression.js'

/** A finished response for many callers; compressed variants are made on first demand. */
export type CachedResponse = {
  type: string
  language: string | null
  vary: string
  tag: string
  variants: Partial<Record<Encoding, Promise<Variant>>>
  bytes: Buffer
}

/** Headers as names and values in one list, the form Node writes quickest. */
type HeaderList = { headers: string[]; notModified: string[] }

/**
 * A response in one encoding. `anySite`: with the header that lets pages of other sites read it.
 */
type Variant = {
  bytes: Buffer
  headers: Record<string, string>
  notModified: Record<string, string>
  lists: { sameSite: HeaderList; anySite: HeaderList }
}

/**
 * Makes a response to cache. `vary`: the Vary header, without Accept-Encoding. The tag is a hash of
 * the content, so the same content is a 304 in any process, at any time.
 */
export function cacheResponse(
  body: string,
  { type, vary, language = null }: { type: string; vary: string; language?: string | null },
): CachedResponse {
  const tag = hashOf(body).toString('base64url').slice(0, 22)
  return { type, language, vary, tag, variants: {}, bytes: Buffer.from(body) }
}

/**
 * Sends the response ahead of Koa, in one write; no body when the client has it. `anySite`: pages
 * of other sites may read it.
 */
export async function sendCached(
  answer: CachedResponse,
  req: IncomingMessage,
  res: ServerResponse,
  { anySite }: { anySite: boolean },
): Promise<void> {
  const encoding = pickEncoding(req.headers['accept-encoding'] as string | undefined)
  const variant = await variantOf(answer, encoding)
  const lists = anySite ? variant.lists.anySite : variant.lists.sameSite
  const tags = req.headers['if-none-match']
  // Nearly every poll sends exactly the tag it was given; comparing it first skips the parsing.
  if (tags !== undefined && (tags === variant.notModified.ETag || hasClientThis(answer, tags))) {
    res.writeHead(304, lists.notModified).end()
    return
  }
  res
    .writeHead(200, lists.headers.concat('X-Request-Id', randomUUID()))
    .end(req.method === 'HEAD' ? undefined : variant.bytes)
}

/**
 * Sends what may be out of date: not cached, without a tag, and with when to ask again. `anySite`:
 * pages of other sites may read it. `security`: instead of the usual headers.
 */
export function sendUnconfirmed(
  answer: CachedResponse,
  req: IncomingMessage,
  res: ServerResponse,
  { anySite, security = securityHeaders }: { anySite: boolean; security?: Readonly<Record<string, string>> },
): void {
  for (const name of res.getHeaderNames()) if (name !== 'x-request-id') res.removeHeader(name)
  res.writeHead(200, {
    ...security,
    ...(anySite ? anyOrigin : {}),
    'X-Request-Id': String(res.getHeader('X-Request-Id') ?? randomUUID()),
    'Cache-Control': 'no-store',
    Vary: answer.vary,
    'Retry-After': retryAfter,
    'Content-Type': answer.type,
    'Content-Length': String(answer.bytes.length),
    ...(answer.language === null ? {} : { 'Content-Language': answer.language }),
  })
  res.end(req.method === 'HEAD' ? undefined : answer.bytes)
}

/** The cached response through Koa, for requests that the fast path does not take. */
export async function respondCached(answer: CachedResponse, ctx: Context): Promise<void> {
  const variant = await variantOf(answer, pickEncoding(ctx.get('Accept-Encoding')))
  const isUnchanged = hasClientThis(answer, ctx.get('If-None-Match'))
  ctx.status = isUnchanged ? 304 : 200
  ctx.state.response.isSameForEveryone = true
  ctx.set(isUnchanged ? variant.notModified : variant.headers)
  if (!isUnchanged) ctx.body = variant.bytes
  if (!isUnchanged) ctx.type = answer.type
}

/** Whether If-None-Match names this content in any encoding. */
function hasClientThis({ tag }: CachedResponse, header: string | undefined): boolean {
  return matchesEtag(header, tag, `${tag}-br`, `${tag}-gzip`)
}

function variantOf(answer: CachedResponse, encoding: Encoding): Promise<Variant> {
  return once(answer.variants, encoding, () => makeVariant(answer, encoding))
}

/**
 * Bytes below which a response is worth the slowest compression, some twenty milliseconds away from
 * the event loop once per content: a status page is a seventh smaller.
 */
const small = 20_000

async function makeVariant(answer: CachedResponse, encoding: Encoding): Promise<Variant> {
  const quality = answer.bytes.length < small ? 11 : 6
  const bytes = await compressed(answer.bytes, encoding, quality)
  // A 304 carries no security headers: the browser keeps those that came with the body.
  const notModified = {
    ETag: encoding === 'identity' ? `"${answer.tag}"` : `"${answer.tag}-${encoding}"`,
    'Cache-Control': 'private, no-cache',
    Vary: `${answer.vary}, Accept-Encoding`,
  }
  const headers = {
    ...securityHeaders,
    ...notModified,
    'Content-Type': answer.type,
    'Content-Length': String(bytes.length),
    ...(answer.language === null ? {} : { 'Content-Language': answer.language }),
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  }
  const listsWith = (more: Record<string, string>): HeaderList => ({
    headers: Object.entries({ ...headers, ...more }).flat(),
    notModified: Object.entries({ ...notModified, ...more }).flat(),
  })
  return { bytes, headers, notModified, lists: { sameSite: listsWith({}), anySite: listsWith(anyOrigin) } }
}
