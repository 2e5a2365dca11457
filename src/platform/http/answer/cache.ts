import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hashOf } from '../../process/sealing.js'
import type { Context } from '../context.js'
import { once } from '../memoized.js'
import { retryAfter } from '../problem.js'
import { anyOrigin, securityHeaders } from '../protection/securityHeaders.js'
import { compressed, type Encoding, matchesEtag, pickEncoding } from './compression.js'

type CheckResult = 'ok' | 'failed'

/**
 * Makes a check cheap for any number of callers: calls while it runs, and for `age` ms after it
 * ended, share its result; a failure for `failedAge` ms. Never throws.
 */
export function checked(
  age: number,
  check: () => Promise<unknown>,
  failedAge = age,
): () => Promise<CheckResult> {
  let latest: Promise<CheckResult> | null = null
  let goodUntil = 0
  return () => {
    if (latest && performance.now() < goodUntil) return latest
    goodUntil = Number.POSITIVE_INFINITY
    latest = Promise.resolve()
      .then(check)
      .then(
        () => 'ok' as const,
        () => 'failed' as const,
      )
      .then((result) => {
        goodUntil = performance.now() + (result === 'ok' ? age : failedAge)
        return result
      })
    return latest
  }
}

/** A view and what tells whether it still holds. Times: epoch ms by the database's clock. */
type Computed<V> = { view: V; stamp: string; now: number; validUntil: number }

/** How the view is computed, and how its stamp is checked. */
type CacheSource<V> = {
  compute: () => Promise<Computed<V>>
  check: (stamp: string) => Promise<{ exact: boolean; stamp: string; now: number }>
  /** Counts how often the view held, and how often it was computed again. */
  counted: { hit: number; recomputed: number }
}

/** A view as it was last found current, and how long ago that was, in ms. */
type LastKnown<V> = { view: V; age: number }

/**
 * Caches one view; each caller of `current` gets it after a check that began after the call, so
 * every process sees every acknowledged change. Waiting callers share one check and, when needed,
 * one computation. `lastKnown` asks no one.
 */
export function validatedCache<V>({ compute, check, counted }: CacheSource<V>): {
  current: () => Promise<V>
  lastKnown: () => LastKnown<V> | null
} {
  let entry: Computed<V> | null = null
  /** By the clock that never steps. */
  let confirmedAt = 0
  let running: Promise<V> | null = null
  let next: Promise<V> | null = null

  const refresh = async (): Promise<V> => {
    const previous = entry
    if (previous) {
      const answer = await check(previous.stamp)
      if (answer.exact && answer.now < previous.validUntil) {
        previous.stamp = answer.stamp
        counted.hit += 1
        confirmedAt = performance.now()
        return previous.view
      }
    }
    entry = await compute()
    counted.recomputed += 1
    confirmedAt = performance.now()
    return entry.view
  }

  const start = (): Promise<V> => {
    const started = refresh().finally(() => {
      if (running === started) running = null
    })
    running = started
    return started
  }

  const current = (): Promise<V> => {
    if (next) return next
    if (!running) return start()
    // The running check began before this call and may miss a change the caller knows: wait for one
    // more; but when it fails, fail with it, so that no one waits twice for a silent database.
    next = running
      .finally(() => {
        next = null
      })
      .then(start)
    return next
  }

  return { current, lastKnown: () => entry && { view: entry.view, age: performance.now() - confirmedAt } }
}

/** A finished response for many callers; compressed variants are made on first demand. */
export type CachedResponse = {
  type: string
  language: string | null
  vary: string
  tag: string
  variants: Partial<Record<Encoding, Promise<Form>>>
  bytes: Buffer
}

/** Headers as names and values in one list, the form Node writes quickest. */
type Flat = { headers: string[]; notModified: string[] }

/** `anywhere`: with the header that lets pages of other sites read it; `here`: without. */
type Form = {
  bytes: Buffer
  headers: Record<string, string>
  notModified: Record<string, string>
  flat: { here: Flat; anywhere: Flat }
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
 * Sends the response ahead of Koa, in one write; no body when the client has it. `anywhere`: pages
 * of other sites may read it.
 */
export async function sendCached(
  answer: CachedResponse,
  req: IncomingMessage,
  res: ServerResponse,
  { anywhere }: { anywhere: boolean },
): Promise<void> {
  const form = await formOf(answer, pickEncoding(req.headers['accept-encoding'] as string | undefined))
  const flat = anywhere ? form.flat.anywhere : form.flat.here
  const tags = req.headers['if-none-match']
  // Nearly every poll sends exactly the tag it was given; comparing it first skips the parsing.
  if (tags !== undefined && (tags === form.notModified.ETag || known(answer, tags))) {
    res.writeHead(304, flat.notModified).end()
    return
  }
  res
    .writeHead(200, flat.headers.concat('X-Request-Id', randomUUID()))
    .end(req.method === 'HEAD' ? undefined : form.bytes)
}

/**
 * Sends what may be out of date: not cached, without a tag, and with when to ask again. `anywhere`:
 * pages of other sites may read it.
 */
export function sendUnconfirmed(
  answer: CachedResponse,
  req: IncomingMessage,
  res: ServerResponse,
  { anywhere }: { anywhere: boolean },
): void {
  for (const name of res.getHeaderNames()) if (name !== 'x-request-id') res.removeHeader(name)
  res.writeHead(200, {
    ...securityHeaders,
    ...(anywhere ? anyOrigin : {}),
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
  const form = await formOf(answer, pickEncoding(ctx.get('Accept-Encoding')))
  const unchanged = known(answer, ctx.get('If-None-Match'))
  ctx.status = unchanged ? 304 : 200
  ctx.state.response.isSameForEveryone = true
  ctx.set(unchanged ? form.notModified : form.headers)
  if (!unchanged) ctx.body = form.bytes
  if (!unchanged) ctx.type = answer.type
}

/** Whether If-None-Match names this content in any encoding. */
function known({ tag }: CachedResponse, header: string | undefined): boolean {
  return matchesEtag(header, tag, `${tag}-br`, `${tag}-gzip`)
}

function formOf(answer: CachedResponse, encoding: Encoding): Promise<Form> {
  return once(answer.variants, encoding, () => makeForm(answer, encoding))
}

async function makeForm(answer: CachedResponse, encoding: Encoding): Promise<Form> {
  const bytes = await compressed(answer.bytes, encoding, 6)
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
  const flat = (more: Record<string, string>): Flat => ({
    headers: Object.entries({ ...headers, ...more }).flat(),
    notModified: Object.entries({ ...notModified, ...more }).flat(),
  })
  return { bytes, headers, notModified, flat: { here: flat({}), anywhere: flat(anyOrigin) } }
}
