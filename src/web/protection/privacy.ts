import { isIndexed } from '../answer/respond.js'
import type { Middleware } from '../context.js'

/**
 * What is answered to somebody known is kept by no cache, the browser's included: lobbies have shared computers (ASVS
 * 14.3.2). Only bytes that are the same for everybody may stay. And search engines list
 * nothing but what has no people in it.
 */
export function privacy(): Middleware {
  return async (ctx, next) => {
    await next()
    if (ctx.state.user && !ctx.state.forEverybody) ctx.set('Cache-Control', 'private, no-store')
    if (!isIndexed(ctx)) ctx.set('X-Robots-Tag', 'noindex')
  }
}
