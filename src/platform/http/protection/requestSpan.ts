import { beginSpan } from '../../ops/tracing.js'
import type { Middleware } from '../context.js'
import { methodOf, routeOf } from './observe.js'

/**
 * A span for each request, from its start to the end of its answer: by the pattern of its route,
 * never by its address.
 */
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
