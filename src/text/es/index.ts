import { account, accountMails, flagPage, passwordLinks, people } from './accounts.js'
import { audit } from './audit.js'
import { answers, desk, merging } from './desk.js'
import { exchange, exchangeFields, exchangeProblems, personData } from './exchange.js'
import { fields, misplaced, namedPhotos } from './fields.js'
import { heldEmails } from './heldEmails.js'
import { mails, unsubscribePage } from './mails.js'
import { guestProblems, guests, notices, protection, signUp } from './notices.js'
import { office, start, year } from './office.js'
import { pages } from './pages.js'
import { badQuery, problems } from './problems.js'
import { followMails, followPages, incidentFields, residents } from './residents.js'
import { noticeMails, secondFactor, singleSignOn, singleSignOnProblems } from './signingIn.js'
import { upkeep } from './upkeep.js'
import { apiPage, chats, deliveryPage, webhookPages } from './webhooks.js'
import { feeds, statusPages, words } from './words.js'

/** Neutral Latin American Spanish that says usted (decision 5.6). */
export const es = {
  name: 'Español',
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
