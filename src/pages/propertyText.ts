import type { MailWords } from '../actions/mail/mailIncident.js'
import { Property } from '../models/building/building.js'
import { isLocale, type Text, texts } from '../text/index.js'

/**
 * The words for what is stored and read by everybody, such as a sentence of ours on a timeline: in the property's
 * language, not in that of whoever caused it, which would tell something of somebody who gave no name (decision 2.9).
 */
export async function propertyText(): Promise<Text> {
  const { locale } = await Property.current()
  return texts[isLocale(locale) ? locale : 'en']
}

/** The words for what came by mail, in the same language. */
export async function mailWords(): Promise<MailWords> {
  const { inboundMail } = await propertyText()
  return inboundMail
}
