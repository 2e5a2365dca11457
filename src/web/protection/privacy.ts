import { isIndexed } from '../answer/respond.js'
import type { Middleware } from '../context.js'

/**
 * What is answered to somebody known is kept by no cache, the browser's included: lobbies have shared computers (ASVS
 * 14.3.2). Only bytes that are the same for everybody may stay, and until the session ends a refused form: a browser
 * asks nobody for the answer to a POST when its sender comes back to it, and without one shows an error of its own
 * (decision 6.17). And search engines list nothing but what has no people in it.
 */
export function privacy(): Middleware {
  return async (ctx, next) => {
    await next()
    const { user, forEverybody, mayComeBack } = ctx.state
    if (mayComeBack) ctx.set('Cache-Control', 'private, no-cache')
    else if (user && !forEverybody) ctx.set('Cache-Control', 'private, no-store')
    if (!isIndexed(ctx)) ctx.set('X-Robots-Tag', 'noindex')
  }
}
