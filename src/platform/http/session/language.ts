import Negotiator from 'negotiator'
import { isLocale, type Locale, texts } from '../../../text/index.js'
import type { Context, Middleware } from '../context.js'
import { memoized } from '../memoized.js'
import { cookieAttributes, cookieNamed } from './browserCookies.js'

const cookie = cookieNamed('caretaker-language')
const hour = 3_600_000
const year = 365 * 24 * hour

/** The property's language, as last read. */
let buildingLocale: Locale = 'en'

/** Sets the language for callers who ask for none. */
export function setDefaultLocale(locale: string): void {
  if (isLocale(locale)) buildingLocale = locale
}

/** The language before the user is known: the cookie's, the browser's or the property's. */
export function language(): Middleware {
  return (ctx, next) => {
    setLocale(ctx, localeOf(ctx.cookies.get(cookie), ctx.get('Accept-Language'), buildingLocale))
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

/** The language of a caller known only by headers; `property` is that of the building. */
export function localeOf(chosen: string | undefined, accepted: string | undefined, property: string): Locale {
  if (isLocale(chosen)) return chosen
  return acceptedLocale(accepted) ?? (isLocale(property) ? property : 'en')
}

/** The preferred one of our languages; null when the header names none of them. */
const acceptedLocale = memoized((header): Locale | null => {
  const tags = new Negotiator({ headers: { 'accept-language': header } }).languages()
  return tags.map((tag) => tag.toLowerCase().split('-')[0]).find(isLocale) ?? null
})
