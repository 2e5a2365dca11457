import { randomUUID } from 'node:crypto'
import type { Middleware } from '../context.js'

const acceptable = /^[\w.-]{8,64}$/

/**
 * Gives the request an id for its response, log lines and audit entries. The id is always ours,
 * because a client could choose another request's; the client's own is only logged beside it.
 */
export function requestId(): Middleware {
  return (ctx, next) => {
    const clientRequestId = ctx.get('X-Request-Id')
    if (acceptable.test(clientRequestId)) ctx.state.clientRequestId = clientRequestId
    ctx.state.requestId = randomUUID()
    ctx.state.client = ctx.ip.replace(/[^\w.:%[\]]/g, '?').slice(0, 64)
    ctx.set('X-Request-Id', ctx.state.requestId)
    return next()
  }
}
