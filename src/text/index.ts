import * as english from './en/index.js'
import * as spanish from './es/index.js'

/** All words of a language, by the page or thing they are for. */
const catalogue = (name: string, of: typeof english) => ({
  name,
  dir: 'ltr' as 'ltr' | 'rtl',
  ...of.words,
  ...of.statusPages,
  ...of.pages,
  residents: of.residents,
  notices: of.notices,
  answers: of.answers,
  audit: of.audit,
  desk: of.desk,
  merging: of.merging,
  exchange: of.exchange,
  chats: of.chats,
  feeds: of.feeds,
  followMails: of.followMails,
  followPages: of.followPages,
  guests: of.guests,
  heldEmails: of.heldEmails,
  protection: of.protection,
  signUp: of.signUp,
  personData: of.personData,
  fields: { ...of.fields, ...of.incidentFields, ...of.exchangeFields },
  badQuery: of.badQuery,
  misplaced: of.misplaced,
  namedPhotos: of.namedPhotos,
  problems: { ...of.problems, ...of.exchangeProblems, ...of.singleSignOnProblems, ...of.guestProblems },
  mails: of.mails,
  office: of.office,
  unsubscribePage: of.unsubscribePage,
  account: of.account,
  accountMails: of.accountMails,
  flagPage: of.flagPage,
  passwordLinks: of.passwordLinks,
  people: of.people,
  secondFactor: of.secondFactor,
  singleSignOn: of.singleSignOn,
  noticeMails: of.noticeMails,
  webhookPages: of.webhookPages,
  deliveryPage: of.deliveryPage,
  apiPage: of.apiPage,
  upkeep: of.upkeep,
  start: of.start,
  year: of.year,
})

/**
 * English is the type: every other language has the same keys, or does not compile (decision 5.6).
 */
export const en = catalogue('English', english)
/** Neutral Latin American Spanish that says usted (decision 5.6). */
const es = catalogue('Español', spanish)

export type Text = typeof en

/** Every language by its tag, in the order of the language switcher. */
export const texts = { en, es } as const satisfies Record<string, Text>

export type Locale = keyof typeof texts
export const locales = Object.keys(texts) as Locale[]

/** Whether a tag is one of our languages. */
export function isLocale(tag: string | undefined | null): tag is Locale {
  return typeof tag === 'string' && Object.hasOwn(texts, tag)
}
