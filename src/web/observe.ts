import { randomUUID } from 'node:crypto'
import { log } from '../log.js'
import type { Middleware } from './context.js'

/** What follows these words in an address opens an account, or speaks for a person. */
const links = /^((?:\/api\/auth)?\/(?:invitation|reset-password|unsubscribe)\/)[^/]+/

/** An address as logs may have it: without the one-time links that are part of some. */
export function loggable(path: string): string {
  return path.replace(links, '$1…').slice(0, 200)
}

const acceptable = /^[\w.-]{8,64}$/

/** Names the request, so that an answer, a log line and an audit entry can be found from each other. */
export function requestId(): Middleware {
  return (ctx, next) => {
    const given = ctx.get('X-Request-Id')
    ctx.state.requestId = acceptable.test(given) ? given : randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    return next()
  }
}

/** One line per request: what was asked and answered, never a query, a header or a body. */
export function requestLog(): Middleware {
  return async (ctx, next) => {
    const started = performance.now()
    await next()
    log.info(
      {
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: loggable(ctx.path),
        status: ctx.status,
        ms: Math.round(performance.now() - started),
        as: ctx.state.principal,
        userId: ctx.state.user?.id,
      },
      'request',
    )
  }
}
