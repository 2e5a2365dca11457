import Negotiator from 'negotiator'
import { config } from '../../config.js'
import { isLocale, type Locale, texts } from '../../text/index.js'
import type { Context, Middleware } from '../context.js'
import { remembered } from './remembered.js'

/** A sibling host must not be able to set it: with the prefix, browsers bind it to this one. */
const cookie = config.https ? '__Host-caretaker-language' : 'caretaker-language'
const year = 365 * 24 * 3_600_000

/** The property's language, as of the last page that read it. */
let home: Locale = 'en'

/** Takes the property's language for those who ask for none. */
export function setDefaultLocale(locale: string): void {
  if (isLocale(locale)) home = locale
}

/** Chooses the language of somebody who is not known yet: the cookie's, else the browser's, else the property's. */
export function language(): Middleware {
  return (ctx, next) => {
    setLocale(ctx, localeOf(ctx.cookies.get(cookie), ctx.get('Accept-Language'), home))
    return next()
  }
}

/** Speaks this language from here on. */
export function setLocale(ctx: Context, locale: Locale): void {
  ctx.state.locale = locale
  ctx.state.text = texts[locale]
}

/** Keeps the language of this browser for a year; of whoever signs in here, too, unless their account says otherwise. */
export function keepLocale(ctx: Context, locale: Locale): void {
  ctx.cookies.set(cookie, locale, { httpOnly: true, sameSite: 'lax', secure: config.https, maxAge: year })
}

/** The language of somebody we only know by headers; `house` is the property's. */
export function localeOf(chosen: string | undefined, accepted: string | undefined, house: string): Locale {
  if (isLocale(chosen)) return chosen
  return acceptedLocale(accepted) ?? (isLocale(house) ? house : 'en')
}

/** The most wanted of our languages; null when the header names none of them. */
const acceptedLocale = remembered((header): Locale | null => {
  const tags = new Negotiator({ headers: { 'accept-language': header } }).languages()
  return tags.map((tag) => tag.toLowerCase().split('-')[0]).find(isLocale) ?? null
})
