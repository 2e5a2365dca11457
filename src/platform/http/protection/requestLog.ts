import { config } from '../../process/config.js'
import { countRequest } from '../../process/endedRequests.js'
import { log } from '../../process/log.js'
import { beginSpan } from '../../process/tracing.js'
import type { Context, Middleware } from '../context.js'
import { routeOf } from '../matchedRoute.js'
import { loggablePath } from './loggablePath.js'

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
const isProbe = ({ state, status }: Context) =>
  state.response.isProbe === true && (status === 200 || status === 503)

/** Its method, null for one that clients make up. */
function methodOf({ method }: Context): string | null {
  return methods.includes(method) ? method : null
}

/** What every log line of a request begins with; the log leaves out what is undefined. */
export function requestFacts({ state, method, path }: Context) {
  const { requestId, clientRequestId, client } = state
  return { requestId, clientRequestId, client, method, path: loggablePath(path) }
}

/** The User-Agent, for a log line. */
export const browserName = (ctx: Context) => withoutControlCharacters(ctx.get('User-Agent'))

function logRequest(ctx: Context, ms: number, bytes: number): void {
  log.info(
    {
      ...requestFacts(ctx),
      status: ctx.status,
      ms: Math.round(ms),
      bytes,
      unfinished: ctx.res.writableFinished ? undefined : true,
      as: ctx.state.principal,
      userId: ctx.state.user?.id,
      userAgent: browserName(ctx),
    },
    'request',
  )
}

/** A span for each request to the end of its answer, named by the pattern of its route. */
export function requestSpan(): Middleware {
  return (ctx, next) => {
    // The standard's word for the others.
    const method = methodOf(ctx) ?? '_OTHER'
    const span = beginSpan({
      name: method,
      kind: 'server',
      headers: ctx.headers,
      attributes: { 'http.request.method': method, 'caretaker.request_id': ctx.state.requestId },
    })
    if (!span) return next()
    ctx.res.once('close', () => {
      const { status } = ctx
      const route = routeOf(ctx)
      const known = route === 'none' ? undefined : route
      span.end({
        name: [method === '_OTHER' ? 'HTTP' : method, known].filter(Boolean).join(' '),
        attributes: { 'http.route': known, 'http.response.status_code': status },
        error: status >= 500 ? String(status) : undefined,
      })
    })
    return span.within(next)
  }
}
