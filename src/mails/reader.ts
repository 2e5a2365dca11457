import type { Viewer } from '../domain/actor.js'
import { isStaff } from '../domain/permissions.js'
import { pageFrame } from '../models/building.js'
import type { User } from '../models/user.js'
import { isLocale, type Locale, type Text, texts } from '../text/index.js'
import { type Format, formatFor } from '../web/format.js'

/** Who a message is written to: what they may see, their language, the building's clock. */
export type Reader = {
  id: number
  name: string
  viewer: Viewer
  locale: Locale
  t: Text
  h: Format
  property: { name: string; address: string; timezone: string }
}

/** The person as the reader of a message, with the rights they have now. */
export async function readerOf(user: User): Promise<Reader> {
  const { property } = await pageFrame()
  const locale = isLocale(user.locale) ? user.locale : 'en'
  return {
    id: user.id,
    name: user.name,
    viewer: { staff: isStaff(user.role), userId: user.id },
    locale,
    t: texts[locale],
    h: formatFor(locale, property.timezone),
    property,
  }
}
