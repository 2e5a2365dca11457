import { acceptedLocale, isLocale, type Locale, texts } from '../text/index.js'
import type { Context, Middleware } from './context.js'

const cookie = 'caretaker-language'

/** Chooses the language: the person's, else the cookie's, else the browser's, else English; says so in the answer. */
export function language(): Middleware {
  return (ctx, next) => {
    setLocale(ctx, localeOf(ctx.cookies.get(cookie), ctx.get('Accept-Language')))
    return next()
  }
}

/** Speaks this language from here on. */
export function setLocale(ctx: Context, locale: Locale): void {
  ctx.state.locale = locale
  ctx.state.text = texts[locale]
}

/** The language of somebody we only know by headers. */
export function localeOf(chosen: string | undefined, accepted: string | undefined): Locale {
  return isLocale(chosen) ? chosen : (acceptedLocale(accepted) ?? 'en')
}
