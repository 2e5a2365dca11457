import { propertyLocale } from '../building/building.js'
import { texts } from '../text/index.js'
import type { InboundText } from './message.js'

/** The words for incidents from emails, in the property's language. */
export async function inboundText(): Promise<InboundText> {
  const locale = await propertyLocale()
  return { ...texts[locale].inboundEmail, locale }
}
