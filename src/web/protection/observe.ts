import { randomUUID } from 'node:crypto'
import { log } from '../../log.js'
import type { Middleware } from '../context.js'

/** What follows these words in an address opens an account, or speaks for a person. */
const beforeSecrets = /^(?:invitation|reset-password|unsubscribe)$/i
/** As long as a one-time token, and made of nothing else: nothing that people read is. */
const likeSecret = /^[\w-]{40,}$/

/**
 * An address as logs may have it: without the one-time links that are part of some, however they are written. Routers
 * and proxies take letters of either case, doubled slashes and percent-encoded forms for the same address.
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

/** What a segment says once nothing in it is percent-encoded any more, or as far as that can be told. */
function decoded(segment: string): string {
  const next = segment.replace(/%([2-7][\da-f])/gi, (_match, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return next === segment ? next.trim() : decoded(next)
}

const acceptable = /^[\w.-]{8,64}$/

/**
 * Names the request, so that an answer, a log line and an audit entry can be found from each other. The name is always
 * ours: one that a client chose could be another request's. What the client calls it is only written down beside it.
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

/** One line per request: what was asked and answered, never a query, a header or a body. */
export function requestLog(): Middleware {
  return async (ctx, next) => {
    const started = performance.now()
    await next()
    const { requestId: id, clientRequestId, principal, user } = ctx.state
    log.info(
      {
        requestId: id,
        ...(clientRequestId === undefined ? {} : { clientRequestId }),
        method: ctx.method,
        path: loggable(ctx.path),
        status: ctx.status,
        ms: Math.round(performance.now() - started),
        as: principal,
        userId: user?.id,
      },
      'request',
    )
  }
}
