import type { Middleware } from '../context.js'

/** For pages whose address is a secret: it is kept by no cache, and told to nobody by a link that leaves the page. */
export function confidential(): Middleware {
  return async (ctx, next) => {
    ctx.set('Referrer-Policy', 'no-referrer')
    await next()
    ctx.set('Cache-Control', 'no-store')
  }
}
