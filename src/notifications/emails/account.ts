import { mintToken, type Purpose } from '../../accounts/links/accountLinks.js'
import { beginLink } from '../../accounts/links/signInLink.js'
import { signInLinkToken } from '../../platform/http/session/signInLinkToken.js'
import { link } from '../../platform/mail/links.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Reader } from './reader.js'
import type { EmailContent } from './renderedEmail.js'

const pages: Record<Purpose, string> = { invite: '/invitation', reset: '/reset-password' }

/** To a new user: choose a password (decision 6.1). */
export const renderInvitation = accountMail('invite', ({ t, property }, user) => ({
  subject: t.accountMails.subject.invite(property.name),
  title: t.accountMails.title.invite(user),
  lead: t.accountMails.lead.invite(property.name),
}))

/** After a request for a password reset: choose another password (decision 1.1). */
export const renderReset = accountMail('reset', ({ t }) => ({
  subject: t.accountMails.subject.reset,
  title: t.accountMails.title.reset,
  lead: t.accountMails.lead.reset,
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
    const { token, expiresAt } = await mintToken(reader.who.userId, purpose)
    const { subject, title, lead } = words(reader, reader.name)
    const href = link(`${pages[purpose]}/${token}`)
    return {
      view: 'account',
      subject,
      about: { list: 'account' },
      why: t.accountMails.why[purpose],
      stop: null,
      given: {
        title,
        leads: [lead, t.accountMails.until(h.moment(expiresAt.toISOString()))],
        button: { href, text: t.accountMails.button[purpose] },
      },
    }
  }
}

/**
 * After someone asked to sign in by email (decision 7.15). An email that is tried again holds the
 * same link.
 */
export const renderSignIn = linkMail('signIn', '/sign-in/link')

/** After someone without an account asked so, where anyone may make one (decision 7.15). */
export const renderSignUp = linkMail('signUp', '/sign-up')

function linkMail(kind: 'signIn' | 'signUp', page: string) {
  return async ({ t, h }: Reader, row: OutboxMessage): Promise<EmailContent | null> => {
    const id = String(row.payload.link)
    const until = await beginLink(id)
    if (!until) return null
    const p = t.accountMails
    return {
      view: 'account',
      subject: p.subject[kind],
      about: { list: 'account' },
      why: p.why[kind],
      stop: null,
      given: {
        title: p.title[kind],
        leads: [p.lead[kind], p.until(h.moment(until.toISOString()))],
        button: { href: link(`${page}/${signInLinkToken(id)}`), text: p.button[kind] },
      },
    }
  }
}
