import { createHash } from 'node:crypto'
import type { Middleware } from '../context.js'

/** A weak tag: the same body has the same tag in every encoding. */
function tagOf(body: string | Buffer): string {
  return `W/"${createHash('sha1').update(body).digest('base64url').slice(0, 20)}"`
}

/**
 * Whether If-None-Match names one of these tags (without quotes). The request's Cache-Control:
 * no-cache is ignored: clients that compare tags themselves send it along.
 */
export function matchesEtag(header: string | undefined, ...tags: string[]): boolean {
  if (!header) return false
  const given = header.split(',').map((each) => each.trim().replace(/^W\//, '').replaceAll('"', ''))
  return given.includes('*') || tags.some((tag) => given.includes(tag))
}

/** Gives successful reads an ETag and answers 304 when the client has that body (decision 6.16). */
export function conditional(): Middleware {
  return async (ctx, next) => {
    await next()
    const { body } = ctx
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.status !== 200) return
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return
    if (!ctx.response.get('ETag')) ctx.set('ETag', tagOf(body as string))
    if (matchesEtag(ctx.get('If-None-Match'), ctx.response.get('ETag').replace(/^W\/|"/g, '')))
      ctx.status = 304
  }
}
