import type { IncomingMessage } from 'node:http'
import { Problem } from '../answer/problem.js'
import type { Middleware } from '../context.js'

/**
 * Whether a request has several Host headers: a proxy may have used another one than we do (RFC
 * 9112, 3.2).
 */
export function namesHostsTwice({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Refuses such a request with 400. */
export function oneHost(): Middleware {
  return (ctx, next) => {
    if (namesHostsTwice(ctx.req)) throw new Problem(400, 'bad_request')
    return next()
  }
}
