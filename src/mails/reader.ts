import type { User } from '../models/accounts/user.js'
import { pageFrame } from '../models/building/building.js'
import { isLocale, type Locale, type Text, texts } from '../text/index.js'
import { type Format, formatFor } from '../web/answer/format.js'

/** The recipient of a message: their language, with the building's time zone in `h`. */
export type Reader = {
  id: number
  name: string
  locale: Locale
  t: Text
  h: Format
  property: { name: string; address: string; timezone: string }
}

export async function readerOf(user: User): Promise<Reader> {
  const { property } = await pageFrame()
  const locale = isLocale(user.locale) ? user.locale : 'en'
  return {
    id: user.id,
    name: user.name,
    locale,
    t: texts[locale],
    h: formatFor(locale, property.timezone),
    property,
  }
}
