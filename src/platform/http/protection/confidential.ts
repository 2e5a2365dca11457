import type { Middleware } from '../context.js'

/**
 * For pages with a secret in their address: no cache keeps them, and no link from them sends the address on.
 */
export function confidential(): Middleware {
  return async (ctx, next) => {
    ctx.set('Referrer-Policy', 'no-referrer')
    await next()
    ctx.set('Cache-Control', 'no-store')
  }
}
