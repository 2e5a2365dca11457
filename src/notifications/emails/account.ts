import type { Purpose } from '../../accounts/links/accountLinks.js'
import type { NoticeFacts } from '../../accounts/signIn/notices.js'
import { nameOfFollowed } from '../../building/followedNames.js'
import { beginLink, mintLink } from '../../platform/mail/emailLinks.js'
import { link } from '../../platform/mail/links.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { type FollowedColumns, readFollowed } from '../../vocabulary/email/followed.js'
import type { Reader } from './reader.js'
import type { EmailContent } from './renderedEmail.js'

/** To a new user: choose a password (decision 6.1). */
export const renderInvitation = accountMail('invite', ({ t, property }, user) => ({
  subject: t.accountEmails.subject.invite(property.name),
  title: t.accountEmails.title.invite(user),
  lead: t.accountEmails.lead.invite(property.name),
}))

/** After a request for a password reset: choose another password (decision 1.1). */
export const renderReset = accountMail('reset', ({ t }) => ({
  subject: t.accountEmails.subject.reset,
  title: t.accountEmails.title.reset,
  lead: t.accountEmails.lead.reset,
}))

type Words = { subject: string; title: string; lead: string }

/**
 * The link is made while the email is rendered, so the outbox never holds one; each attempt makes
 * another.
 */
function accountMail(purpose: Purpose, words: (reader: Reader, name: string) => Words) {
  return async (reader: Reader, _row: OutboxMessage): Promise<EmailContent> => {
    const { t, h } = reader
    if (!('userId' in reader.who)) throw new Error(`${purpose} without an account`)
    const { href, expiresAt } = await mintLink({ purpose, who: reader.who, data: {} })
    const { subject, title, lead } = words(reader, reader.name)
    return {
      view: 'account',
      subject,
      about: { list: 'account' },
      why: t.accountEmails.why[purpose],
      stop: null,
      given: {
        title,
        leads: [lead, t.accountEmails.until(h.moment(expiresAt!.toISOString()))],
        button: { href, text: t.accountEmails.button[purpose] },
      },
    }
  }
}

/**
 * After someone asked to sign in by email (decision 7.15). An email that is tried again holds the
 * same link.
 */
export const renderSignIn = linkMail('signIn', 'sign_in')

/** After someone without an account asked so, where anyone may make one (decision 7.15). */
export const renderSignUp = linkMail('signUp', 'sign_up')

function linkMail(kind: 'signIn' | 'signUp', purpose: 'sign_in' | 'sign_up') {
  return async ({ t, h }: Reader, row: OutboxMessage): Promise<EmailContent | null> => {
    const begun = await beginLink(purpose, String(row.payload.link))
    if (!begun) return null
    const p = t.accountEmails
    return {
      view: 'account',
      subject: p.subject[kind],
      about: { list: 'account' },
      why: p.why[kind],
      stop: null,
      given: {
        title: p.title[kind],
        leads: [p.lead[kind], p.until(h.moment(begun.expiresAt!.toISOString()))],
        button: { href: begun.href, text: p.button[kind] },
      },
    }
  }
}

/**
 * A security notice about an account that was used or changed (decision 7.12): what, when, on which
 * device, and what to do. For a changed address it goes to the former one.
 */
export async function renderNotice({ t, h }: Reader, row: OutboxMessage): Promise<EmailContent> {
  const { notice, by, browser, system, to } = row.payload as NoticeFacts
  const p = t.securityEmails
  const at = h.moment(row.createdAt.toISOString())
  const device = browser || system ? t.account.sessions.device(browser, system) : null
  const byOffice = by === 'office'
  const notYours = byOffice || notice === 'email_changed' ? p.unwanted : p.notYours
  return {
    view: 'account',
    subject: p.subject[notice],
    about: { list: 'account' },
    why: p.why,
    stop: null,
    to,
    given: {
      title: p.subject[notice],
      leads: [
        p.lead[notice],
        device ? p.whenWhere(at, device) : p.when(at),
        `${byOffice ? p.office : p.yours} ${notYours}`,
      ],
      button: { href: link('/account'), text: p.button },
    },
  }
}

/**
 * To an address someone typed: the link that starts to follow. It is made while the email is
 * rendered.
 */
export async function renderConfirmation(reader: Reader, row: OutboxMessage): Promise<EmailContent | null> {
  const { t, h } = reader
  const followed = String(row.payload.followed)
  const columns = readFollowed(followed) as FollowedColumns
  const found = await nameOfFollowed(columns)
  if (!found) return null
  // Not the title, which anyone may have written (decision 7.4).
  const name = columns.incidentId === null ? found : `INC-${columns.incidentId}`
  if (!('mailFollowerId' in reader.who)) throw new Error('a confirmation for an account')
  const { href, expiresAt } = await mintLink({ purpose: 'follow', who: reader.who, data: { followed } })
  const p = t.followEmails.confirm
  return {
    view: 'account',
    subject: p.subject(name),
    about: { list: 'follow' },
    why: p.why,
    stop: null,
    given: {
      title: p.title(name),
      leads: [p.lead, t.accountEmails.until(h.moment(expiresAt!.toISOString()))],
      button: { href, text: p.button },
    },
  }
}
