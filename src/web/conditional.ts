import { createHash } from 'node:crypto'
import type { Middleware } from './context.js'

/** A weak tag of a body: the same whatever it is compressed with. */
export function tagOf(body: string | Buffer): string {
  return `W/"${createHash('sha1').update(body).digest('base64url').slice(0, 20)}"`
}

/** Gives successful reads an ETag and answers 304 to whoever has that very body (decision 6.16). */
export function conditional(): Middleware {
  return async (ctx, next) => {
    await next()
    const { body } = ctx
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.status !== 200) return
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return
    if (!ctx.response.get('ETag')) ctx.set('ETag', tagOf(body as string))
    if (ctx.fresh) ctx.status = 304
  }
}
