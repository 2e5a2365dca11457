import type { ServerResponse } from 'node:http'
import type { Context, Middleware } from '../context.js'
import { localPath } from '../paths.js'
import type { Representation } from '../representation.js'

/** Guards against open redirects: no response leads to another site (decision 7.9). */
const siteAddress = (location: string) => localPath(location) ?? '/'

/**
 * Leads a page or a fragment on to an address of this site. htmx would follow a 303 and swap the
 * next page into a part of this one, so it is told to navigate.
 */
export function leadOn(ctx: Context, representation: Representation, location: string): void {
  if (representation !== 'fragment') {
    redirect(ctx, location)
    return
  }
  ctx.body = ''
  ctx.status = 200
  ctx.set('HX-Redirect', siteAddress(location))
}

/** Redirects every caller to an address of this site, whatever it accepts. */
export function redirect(ctx: Context, location: string, status: 302 | 303 = 303): void {
  leadTo(ctx, siteAddress(location), status)
}

/** Sends a browser to the identity provider: the one answer that leads to another site. */
export function redirectToProvider(ctx: Context, address: URL): void {
  ctx.set('Cache-Control', 'no-store')
  leadTo(ctx, address.href, 303)
}

function leadTo(ctx: Context, address: string, status: 302 | 303): void {
  ctx.body = ''
  ctx.status = status
  ctx.set('Location', address)
}

/** Says where what was made is, without leading there. */
export function setLocation(ctx: Context, location: string): void {
  ctx.set('Location', siteAddress(location))
}

/**
 * Lets the browser ask again after every error at this address, also where it runs no script. A
 * page that comes of it says itself whether and when it wants to be asked for again.
 */
export function askAgainAfterErrors(path: string, seconds: number): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== path) return next()
    ctx.set('Refresh', `${seconds}; url=${siteAddress(path)}`)
    await next()
    if (ctx.status < 400) ctx.remove('Refresh')
  }
}

/** What `askAgainAfterErrors` has said of this response; undefined for others. */
export const refreshOf = (res: ServerResponse) => res.getHeader('Refresh')
