import { account, accountMails, flagPage, passwordLinks, people } from './en/accounts.js'
import { audit } from './en/audit.js'
import { answers, desk, merging } from './en/desk.js'
import { exchange, exchangeFields, exchangeProblems, personData } from './en/exchange.js'
import { fields, misplaced, namedPhotos } from './en/fields.js'
import { heldEmails } from './en/heldEmails.js'
import { mails, unsubscribePage } from './en/mails.js'
import { guestProblems, guests, notices, protection, signUp } from './en/notices.js'
import { office, start, year } from './en/office.js'
import { pages } from './en/pages.js'
import { badQuery, problems } from './en/problems.js'
import { followMails, followPages, incidentFields, residents } from './en/residents.js'
import { noticeMails, secondFactor, singleSignOn, singleSignOnProblems } from './en/signingIn.js'
import { upkeep } from './en/upkeep.js'
import { apiPage, chats, deliveryPage, webhookPages } from './en/webhooks.js'
import { feeds, statusPages, words } from './en/words.js'
import { es } from './es/index.js'

/**
 * English is the type: every other language has the same keys, or does not compile (decision 5.6).
 */
export const en = {
  name: 'English',
  dir: 'ltr' as 'ltr' | 'rtl',
  ...words,
  ...statusPages,
  ...pages,
  residents,
  notices,
  answers,
  audit,
  desk,
  merging,
  exchange,
  chats,
  feeds,
  followMails,
  followPages,
  guests,
  heldEmails,
  protection,
  signUp,
  personData,
  fields: { ...fields, ...incidentFields, ...exchangeFields },
  badQuery,
  misplaced,
  namedPhotos,
  problems: { ...problems, ...exchangeProblems, ...singleSignOnProblems, ...guestProblems },
  mails,
  office,
  unsubscribePage,
  account,
  accountMails,
  flagPage,
  passwordLinks,
  people,
  secondFactor,
  singleSignOn,
  noticeMails,
  webhookPages,
  deliveryPage,
  apiPage,
  upkeep,
  start,
  year,
}

export type Text = typeof en

/** Every language by its tag, in the order of the language switcher. */
export const texts = { en, es } as const satisfies Record<string, Text>

export type Locale = keyof typeof texts
export const locales = Object.keys(texts) as Locale[]

/** Whether a tag is one of our languages. */
export function isLocale(tag: string | undefined | null): tag is Locale {
  return typeof tag === 'string' && Object.hasOwn(texts, tag)
}
