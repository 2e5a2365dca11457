import * as english from './en/index.js'
import * as spanish from './es/index.js'

/** All words of a language, by the page or thing they are for. */
const catalogue = (name: string, of: typeof english) => ({
  name,
  dir: 'ltr' as 'ltr' | 'rtl',
  ...of.words,
  ...of.statusPages,
  account: of.account,
  accountEmails: of.accountEmails,
  answers: of.answers,
  apiPage: of.apiPage,
  asset: of.publicAssetPage,
  assetPage: of.assetPage,
  assets: of.assetPages,
  audit: of.audit,
  badQuery: of.badQuery,
  chats: of.chats,
  contacts: of.contactPages,
  contactsPage: of.contactsPage,
  costs: of.costs,
  deliveryPage: of.deliveryPage,
  design: of.design,
  desk: of.desk,
  display: of.display,
  emails: of.emails,
  feeds: of.feeds,
  fields: { ...of.fields, ...of.incidentFieldProblems, ...of.importFields },
  flagPage: of.flagPage,
  followEmails: of.followEmails,
  followPages: of.followPages,
  frame: of.frame,
  guests: of.guests,
  heldEmails: of.heldEmails,
  imports: of.imports,
  incident: of.incident,
  incidents: of.incidents,
  known: of.known,
  live: of.live,
  maintenance: of.maintenance,
  merging: of.merging,
  mine: of.mine,
  misplaced: of.misplaced,
  namedPhotos: of.namedPhotos,
  nav: of.nav,
  notices: {
    ...of.recordNotices,
    ...of.incidentNotices,
    ...of.accountNotices,
    ...of.buildingNotices,
    ...of.maintenanceNotices,
    ...of.notificationNotices,
    ...of.inboundNotices,
    ...of.appNotices,
  },
  passwordLinks: of.passwordLinks,
  people: of.people,
  personData: of.personData,
  photos: of.photos,
  posters: of.posters,
  problemPage: of.problemPage,
  problems: { ...of.problems, ...of.importProblems, ...of.singleSignOnProblems, ...of.guestProblems },
  property: of.propertyPages,
  protection: of.protection,
  records: of.recordPages,
  report: of.report,
  secondFactor: of.secondFactor,
  securityEmails: of.securityEmails,
  sent: of.sent,
  signInPage: of.signInForm,
  signUp: of.signUp,
  singleSignOn: of.singleSignOn,
  start: of.start,
  towers: of.towerPages,
  units: of.unitPages,
  unsubscribePage: of.unsubscribePage,
  webhookPages: of.webhookPages,
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
