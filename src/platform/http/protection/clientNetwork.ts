import { createHmac } from 'node:crypto'
import { networkOf, siteOf } from '../../../vocabulary/people/network.js'
import { config } from '../../process/config.js'
import type { Context } from '../context.js'

/** The client's network. When a proxy names no address, the proxy's own. */
export function clientNetwork(ctx: Context): string {
  return networkOf(ctx.ip) ?? networkOf(ctx.req.socket.remoteAddress ?? '') ?? 'unknown'
}

/**
 * Where a client counts for budgets that strangers share: its IPv4 address, or the /48 of its IPv6
 * one, because one line at home has up to 256 networks of /64 (decision 9.10).
 */
export function clientSite(ctx: Context): string {
  return siteOf(clientNetwork(ctx))
}

/** The client's site as rows may keep it: no one can tell the address from it. */
export function siteTag(ctx: Context): string {
  return createHmac('sha256', config.sessionSecret)
    .update(`network:${clientSite(ctx)}`)
    .digest('base64url')
}
