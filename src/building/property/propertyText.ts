import { isLocale, type Locale, type Text, texts } from '../../text/index.js'
import { Property } from '../building.js'

/**
 * Words for stored texts that everyone reads, such as timeline entries: in the property's
 * language. The author's own could tell who someone without a name is (decision 2.9).
 */
export async function propertyText(): Promise<Text> {
  return texts[await propertyLocale()]
}

/** The language of stored texts. */
export async function propertyLocale(): Promise<Locale> {
  const { locale } = await Property.current()
  return isLocale(locale) ? locale : 'en'
}
