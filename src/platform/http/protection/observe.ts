import { randomUUID } from 'node:crypto'
import { config } from '../../ops/config.js'
import { log } from '../../ops/log.js'
import { countRequest } from '../../ops/process/counters.js'
import type { Context, Middleware } from '../context.js'

/** The path segment after one of these is a secret: it opens an account or acts for a person. */
const beforeSecrets = /^(?:fixed|follow|invitation|link|reset-password|sign-up|unsubscribe)$/i
/** As long as a one-time token, of the same characters; longer than any segment people read. */
const likeSecret = /^[\w-]{40,}$/

/**
 * A path for logs, with one-time tokens masked however they are written: routers and proxies accept
 * either case, doubled slashes and percent-encoding for the same address.
 */
export function loggable(path: string): string {
  let secretNext = false
  const parts = path.slice(0, 4000).split(/((?:\/|\\|%(?:25)*(?:2f|5c))+)/i)
  const masked = parts.map((part, i) => {
    if (i % 2 === 1 || part === '') return part
    const isSecret = secretNext || likeSecret.test(part)
    secretNext = beforeSecrets.test(decoded(part))
    return isSecret ? '…' : part
  })
  return masked.join('').slice(0, 200)
}

/** A segment with all its percent-encoding undone, however often it was applied. */
function decoded(segment: string): string {
  const next = segment.replace(/%([2-7][\da-f])/gi, (_match, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return next === segment ? next.trim() : decoded(next)
}

const acceptable = /^[\w.-]{8,64}$/

/**
 * Gives the request an id for its response, log lines and audit entries. The id is always ours,
 * because a client could choose another request's; the client's own is only logged beside it.
 */
export function requestId(): Middleware {
  return (ctx, next) => {
    const given = ctx.get('X-Request-Id')
    if (acceptable.test(given)) ctx.state.clientRequestId = given
    ctx.state.requestId = randomUUID()
    ctx.state.client = ctx.ip.replace(/[^\w.:%[\]]/g, '?').slice(0, 64)
    ctx.set('X-Request-Id', ctx.state.requestId)
    return next()
  }
}

/** Text of the client's for a log line. */
export const withoutControlCharacters = (text: string) => text.replace(/\p{C}/gu, '').slice(0, 200)

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

/**
 * Counts each request, and logs one line of it unless ACCESS_LOG is off; when all is sent, or the
 * client left. Never a query, a header but the browser's name, or a body.
 */
export function requestLog(): Middleware {
  return (ctx, next) => {
    const started = performance.now()
    const sent = ctx.socket.bytesWritten
    ctx.res.once('close', () => {
      const ms = performance.now() - started
      const { status } = ctx
      countRequest({ method: methodOf(ctx) ?? 'other', route: routeOf(ctx), status, seconds: ms / 1_000 })
      if (config.accessLog && !isProbe(ctx)) logRequest(ctx, ms, ctx.socket.bytesWritten - sent)
    })
    return next()
  }
}

/** Asked every few seconds for ever: what such an answer tells is logged where it happens. */
const probes = ['/healthz', '/readyz', '/metrics']
const isProbe = ({ path, status }: Context) => probes.includes(path) && (status === 200 || status === 503)

/** Its method, null for one that clients make up. */
export function methodOf({ method }: Context): string | null {
  return methods.includes(method) ? method : null
}

/**
 * The pattern of the route that took it, `none` without one: paths themselves are without number.
 */
export function routeOf(ctx: Context): string {
  const { _matchedRoute: pattern } = ctx as { _matchedRoute?: unknown }
  return typeof pattern === 'string' && ctx.state.permission !== undefined ? pattern : 'none'
}

function logRequest(ctx: Context, ms: number, bytes: number): void {
  const { requestId: id, clientRequestId, client, principal, user } = ctx.state
  log.info(
    {
      requestId: id,
      ...(clientRequestId === undefined ? {} : { clientRequestId }),
      client,
      method: ctx.method,
      path: loggable(ctx.path),
      status: ctx.status,
      ms: Math.round(ms),
      bytes,
      ...(ctx.res.writableFinished ? {} : { unfinished: true }),
      as: principal,
      userId: user?.id,
      userAgent: withoutControlCharacters(ctx.get('User-Agent')),
    },
    'request',
  )
}
