import type { IncomingMessage } from 'node:http'
import { config } from '../../process/config.js'
import type { Context, Middleware } from '../context.js'
import { Problem } from '../problem.js'

/** Whether there are several Host headers: a proxy may have used another one (RFC 9112, 3.2). */
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

/** Whether search engines may list the response: static files, and what its route says. */
export function isIndexed({ state, status }: Context): boolean {
  return state.response.isIndexed === true && status < 400 && status !== 303
}

/**
 * Signed-in people's responses stay out of every cache: lobbies share computers (ASVS 14.3.2).
 * Exempt: bytes that are the same for everyone, and refused forms, which "back" must show again
 * (decision 6.17).
 */
export function privacy(): Middleware {
  return async (ctx, next) => {
    await next()
    const { user, refusal, response } = ctx.state
    if (refusal.isRefusedForm) ctx.set('Cache-Control', 'private, no-cache')
    else if (user && !response.isSameForEveryone) ctx.set('Cache-Control', 'private, no-store')
    if (!isIndexed(ctx)) ctx.set('X-Robots-Tag', 'noindex')
  }
}

/** Pages load our own files only: no inline script or style, and no other host. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join(';')

/** The same for every response, so they are made once. HTTPS is kept to for two years. */
export const securityHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Content-Security-Policy': `${contentSecurityPolicy};frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'same-origin',
  ...(config.https ? { 'Strict-Transport-Security': 'max-age=63072000' } : {}),
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
})

/**
 * The headers of a page that pages of these origins may show in a frame: it has no form, which a
 * frame could trick people into sending, and runs no script.
 */
export function framedHeaders(origins: readonly string[]): Record<string, string> {
  const { 'X-Frame-Options': _, ...headers } = securityHeaders
  const policy = ["default-src 'none'", "style-src 'self'", "img-src 'self'", "base-uri 'none'"]
  return {
    ...headers,
    'Content-Security-Policy': [...policy, "form-action 'none'", `frame-ancestors ${origins.join(' ')}`].join(
      ';',
    ),
  }
}

/** Sets the headers always, on errors too; after a 304 the browser keeps those of the body. */
export function secure(): Middleware {
  return async (ctx, next) => {
    ctx.set(securityHeaders)
    await next()
    if (ctx.status === 304) for (const name of Object.keys(securityHeaders)) ctx.remove(name)
  }
}

/** The header that lets pages of every other site read an answer. */
export const anyOrigin = { 'Access-Control-Allow-Origin': '*' }

/** Lets pages of other sites show a picture or file: badges and calendars are made for them. */
export const shownOnOtherSites = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

/**
 * Whether a request is a read that says nothing of who sent it: only such an answer may be read by
 * pages of other sites, because it is the same for everyone.
 */
export function isAnonymousRead({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return headers.cookie === undefined && headers.authorization === undefined
}
