import Negotiator from 'negotiator'
import { isLocale, type Locale, texts } from '../../../text/index.js'
import type { Context, Middleware } from '../context.js'
import { isApi } from '../request/paths.js'
import { cookieAttributes, cookieNamed } from '../session/browserCookies.js'
import { memoized } from './memoized.js'

/** For `Vary`: what decides representation (`representationOf`), language and caller. */
export const varying =
  'Accept, Accept-Language, Authorization, Cookie, HX-Request, HX-History-Restore-Request'

/** For JSON without words in it that is the same for everyone. */
export const varyingData = 'Accept, Authorization'

/** How an answer is written: a whole page, a part of one for htmx, or JSON. */
export type Representation = 'page' | 'fragment' | 'json'

/** The parts of a request that decide its representation. Header values as received. */
export type Asking = {
  path: string
  accept?: string | undefined
  bearer?: boolean
  htmx?: boolean
  historyRestore?: boolean
}

/**
 * The one choice between page, fragment and JSON (decision 4.4): an explicit Accept wins; a
 * wildcard, as text browsers, curl and htmx send it, or none means JSON under /api and for bearer
 * keys, else HTML.
 */
export function negotiate({ path, accept, bearer, htmx, historyRestore }: Asking): Representation {
  const wanted = explicit(accept)
  const machine = bearer === true || isApi(path)
  if (wanted === 'json' || (wanted === null && machine)) return 'json'
  return htmx && !historyRestore ? 'fragment' : 'page'
}

/** The type that Accept prefers of those it names; null for wildcards, other types and none. */
const explicit = memoized((accept): 'html' | 'json' | null => {
  const types = new Negotiator({ headers: { accept } }).mediaTypes()
  return types.map((type) => kindOf(type.toLowerCase())).find((kind) => kind !== null) ?? null
})

function kindOf(type: string): 'html' | 'json' | null {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  return type === 'application/json' || type.endsWith('+json') ? 'json' : null
}

const cookie = cookieNamed('caretaker-language')
const hour = 3_600_000
const year = 365 * 24 * hour

/** The property's language, as last read. */
let home: Locale = 'en'

/** Sets the language for callers who ask for none. */
export function setDefaultLocale(locale: string): void {
  if (isLocale(locale)) home = locale
}

/** The language before the user is known: the cookie's, the browser's or the property's. */
export function language(): Middleware {
  return (ctx, next) => {
    setLocale(ctx, localeOf(ctx.cookies.get(cookie), ctx.get('Accept-Language'), home))
    return next()
  }
}

/** Sets the language of the rest of this request. */
export function setLocale(ctx: Context, locale: Locale): void {
  ctx.state.locale = locale
  ctx.state.text = texts[locale]
}

/** What a guest chose within the hour: their account takes it over when they sign in. */
const chosen = `${cookie}-chosen`

/** Notes that a guest has just chosen this language. */
export function noteChoice(ctx: Context, locale: Locale): void {
  ctx.cookies.set(chosen, locale, { ...cookieAttributes, maxAge: hour })
}

/** The language chosen in this browser just before, once; null without one. */
export function takeChoice(ctx: Context): Locale | null {
  const locale = ctx.cookies.get(chosen)
  if (locale === undefined) return null
  ctx.cookies.set(chosen, '', cookieAttributes)
  return isLocale(locale) ? locale : null
}

/** Stores the language in a cookie for a year. An account's own language comes before it. */
export function keepLocale(ctx: Context, locale: Locale): void {
  ctx.cookies.set(cookie, locale, { ...cookieAttributes, maxAge: year })
}

/** The language of a caller known only by headers; `house` is the property's. */
export function localeOf(chosen: string | undefined, accepted: string | undefined, house: string): Locale {
  if (isLocale(chosen)) return chosen
  return acceptedLocale(accepted) ?? (isLocale(house) ? house : 'en')
}

/** The preferred one of our languages; null when the header names none of them. */
const acceptedLocale = memoized((header): Locale | null => {
  const tags = new Negotiator({ headers: { 'accept-language': header } }).languages()
  return tags.map((tag) => tag.toLowerCase().split('-')[0]).find(isLocale) ?? null
})
