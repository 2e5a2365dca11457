import type { User } from '../../accounts/users/user.js'
import { type Contact, pageFrame } from '../../building/building.js'
import { type Format, formatFor } from '../../platform/http/format/format.js'
import type { Addressee } from '../../platform/links/emailLinks.js'
import { isLocale, type Locale, type Text, texts } from '../../text/index.js'
import type { EmailFollower } from '../follow/followQueries.js'

/** The recipient of a message: their language, with the building's time zone in `h`. */
export type Reader = {
  who: Addressee | { contactId: number }
  /** Empty for a person without an account. */
  name: string
  address: string
  locale: Locale
  t: Text
  h: Format
  property: { name: string; address: string; timezone: string }
}

/** Only an account can say whether something is fixed. */
export const hasAccount = ({ who }: Reader): boolean => 'userId' in who

export async function readerOf({ id, name, email, locale }: User): Promise<Reader> {
  return reader({ who: { userId: id }, name, address: email }, locale)
}

/** A person without an account, who sees what a guest sees. */
export async function readerOfEmailFollower({ id, address, locale }: EmailFollower): Promise<Reader> {
  return reader({ who: { emailFollowerId: id }, name: '', address }, locale)
}

/** A contact of the office, who sees what a guest sees, in the property's language. */
export async function readerOfContact({ id, name, email }: Contact): Promise<Reader> {
  const { property } = await pageFrame()
  return reader({ who: { contactId: id }, name, address: email }, property.locale)
}

async function reader(person: Pick<Reader, 'who' | 'name' | 'address'>, language: string): Promise<Reader> {
  const { property } = await pageFrame()
  const locale = isLocale(language) ? language : 'en'
  return {
    ...person,
    locale,
    t: texts[locale],
    h: formatFor(locale, property.timezone),
    property,
  }
}
