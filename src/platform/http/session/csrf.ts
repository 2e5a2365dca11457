import { createHmac } from 'node:crypto'
import { config } from '../../process/config.js'
import { equalTexts } from '../../process/hashing.js'
import type { Context } from '../context.js'
import { isApi } from '../paths.js'
import { Problem } from '../problem.js'
import { cookieAttributes, cookieNamed, secretOfCookie } from './browserCookies.js'
import { sessionFormSecret } from './sessionCookie.js'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const formCookie = cookieNamed('caretaker-form')

/** Where a request comes from, by its headers. */
export type Origin = 'ours' | 'foreign' | 'silent'

/**
 * Decides by Sec-Fetch-Site, else Origin; text browsers and API clients send neither (decision
 * 1.5). Ours is the origin of the public URL or, without one, that of the Host header.
 */
export function originOf(
  headers: { site?: string; origin?: string; host?: string },
  publicUrl: string | null,
): Origin {
  if (headers.site) return headers.site === 'same-origin' || headers.site === 'none' ? 'ours' : 'foreign'
  if (!headers.origin) return 'silent'
  if (publicUrl) return headers.origin === new URL(publicUrl).origin ? 'ours' : 'foreign'
  const host = asOneLoopback(headers.host ?? '')
  return [`http://${host}`, `https://${host}`].includes(asOneLoopback(headers.origin)) ? 'ours' : 'foreign'
}

/** The names of this machine are one origin: without a public URL people use any of them. */
const asOneLoopback = (text: string) =>
  text.replace(/(^|\/\/)(localhost|127\.0\.0\.1|\[::1\])(?=:\d+$|$)/, '$1localhost')

/** Throws 403 for another site's request, before its body is read. Bearer calls use no cookie. */
export function refuseForeign(ctx: Context): void {
  if (safeMethods.has(ctx.method) || ctx.get('Authorization')) return
  if (originOfRequest(ctx) === 'foreign') throw new Problem(403, 'foreign_origin')
}

/** Throws 403 when a form without browser headers lacks its hidden token. Goes after the body. */
export function requireFormToken(ctx: Context, body: Record<string, unknown>): void {
  if (ctx.get('Authorization') || isApi(ctx.path) || originOfRequest(ctx) !== 'silent') return
  const token = typeof body.formToken === 'string' ? body.formToken : ''
  if (!equalTexts(token, formToken(ctx))) throw new Problem(403, 'form_expired')
}

/** The hidden token of forms, bound to session or guest's cookie. Stable, so pages keep an ETag. */
export function formToken(ctx: Context): string {
  const secret = sessionFormSecret(ctx) ?? guestFormSecret(ctx)
  return createHmac('sha256', config.sessionSecret).update(`form:${secret}`).digest('base64url')
}

/** The secret that the form tokens of a guest are bound to, in a cookie of their browser. */
function guestFormSecret(ctx: Context): string {
  const { secret, isNew } = secretOfCookie(ctx, formCookie)
  if (isNew) ctx.cookies.set(formCookie, secret, cookieAttributes)
  return secret
}

function originOfRequest(ctx: Context): Origin {
  const headers = { site: ctx.get('Sec-Fetch-Site'), origin: ctx.get('Origin'), host: ctx.get('Host') }
  return originOf(headers, config.publicUrl)
}

/** A tag of a form's author: no one else is shown the typed fields, or sends them. */
export function authorTag(userId: number): string {
  return createHmac('sha256', config.sessionSecret).update(`writer:${userId}`).digest('base64url')
}

/**
 * Throws 409 when a form names another author than who is signed in now: the browser may have
 * changed hands since it was opened. A guest's form names no one, and is whoever's sends it.
 */
export function requireAuthor({ state: { user } }: Context, { writer }: Record<string, unknown>): void {
  if (typeof writer !== 'string' || writer === '' || !user) return
  if (!equalTexts(writer, authorTag(user.id))) throw new Problem(409, 'other_author')
}
