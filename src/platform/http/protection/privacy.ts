import { isIndexed } from '../answer/respond.js'
import type { Middleware } from '../context.js'

/**
 * Signed-in people's responses stay out of every cache: lobbies share computers (ASVS 14.3.2).
 * Exempt: bytes that are the same for everybody, and refused forms, which "back" must show again
 * (decision 6.17).
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
