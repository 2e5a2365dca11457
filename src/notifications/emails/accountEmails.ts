import type { Purpose } from '../../accounts/signIn/passwordLink.js'
import type { NoticeFacts } from '../../accounts/users/notices.js'
import { nameOfFollowed } from '../../building/followedNames.js'
import { mintLink, startLinkTime } from '../../platform/links/emailLinks.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { type FollowedColumns, readFollowed } from '../../vocabulary/email/followed.js'
import type { Reader } from './reader.js'
import type { EmailContent } from './renderEmail.js'

type Words = {
  subject: string
  title: string
  leads: string[]
  button: { href: string; text: string }
  why: string
  /** Six digits to be typed instead of pressing the button, and the words between the two. */
  code?: { digits: string; orLink: string; until: string }
}

/** An email that an account needs, so that no link in it ends such emails. */
function accountEmail({ subject, title, leads, button, why, code }: Words): EmailContent {
  return {
    view: 'account',
    subject,
    about: { list: 'account' },
    why,
    unsubscribe: null,
    data: { title, leads, button, code },
  }
}

const until = ({ t, h }: Reader, expiresAt: Date | null) =>
  t.accountEmails.until(h.moment(expiresAt!.toISOString()))

/** To a new user: choose a password (decision 6.1). */
export function renderInvitation(reader: Reader): Promise<EmailContent> {
  const { t, property, name } = reader
  const { subject, title, lead } = t.accountEmails
  return passwordEmail(reader, 'invite', {
    subject: subject.invite(property.name),
    title: title.invite(name),
    lead: lead.invite(property.name),
  })
}

/** After a request for a password reset: choose another password (decision 1.1). */
export function renderReset(reader: Reader): Promise<EmailContent> {
  const { subject, title, lead } = reader.t.accountEmails
  return passwordEmail(reader, 'reset', { subject: subject.reset, title: title.reset, lead: lead.reset })
}

/**
 * The link is made while the email is rendered, so the outbox never holds one; each attempt makes
 * another.
 */
async function passwordEmail(
  reader: Reader,
  purpose: Purpose,
  { subject, title, lead }: { subject: string; title: string; lead: string },
): Promise<EmailContent> {
  if (!('userId' in reader.who)) throw new Error(`${purpose} without an account`)
  const { href, expiresAt } = await mintLink({ purpose, who: reader.who, data: {} })
  const { button, why } = reader.t.accountEmails
  return accountEmail({
    subject,
    title,
    leads: [lead, until(reader, expiresAt)],
    button: { href, text: button[purpose] },
    why: why[purpose],
  })
}

/**
 * After someone asked to sign in by email (decision 7.15). An email that is tried again holds the
 * same link.
 */
export const renderSignIn = signInEmail('signIn', 'sign_in')

/** After someone without an account asked so, where anyone may make one (decision 7.15). */
export const renderSignUp = signInEmail('signUp', 'sign_up')

function signInEmail(kind: 'signIn' | 'signUp', purpose: 'sign_in' | 'sign_up') {
  return async (reader: Reader, row: OutboxMessage): Promise<EmailContent | null> => {
    const begun = await startLinkTime(purpose, String(row.payload.link))
    if (!begun) return null
    const { subject, title, lead, button, why, orLink, codeUntil } = reader.t.accountEmails
    const end = reader.h.moment(begun.expiresAt!.toISOString())
    return accountEmail({
      subject: subject[kind],
      title: title[kind],
      leads: [lead[kind]],
      code: { digits: begun.code!, orLink, until: codeUntil(end) },
      button: { href: begun.href, text: button[kind] },
      why: why[kind],
    })
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
  const leads = [
    p.lead[notice],
    device ? p.whenWhere(at, device) : p.when(at),
    `${byOffice ? p.office : p.yours} ${notYours}`,
  ]
  const button = { href: pageUrl('/account'), text: p.button }
  const subject = p.subject[notice]
  return { ...accountEmail({ subject, title: subject, leads, button, why: p.why }), to }
}

/**
 * An email to an address that someone typed, with the link that starts to follow. The link is made
 * while the email is rendered.
 */
export async function renderConfirmation(reader: Reader, row: OutboxMessage): Promise<EmailContent | null> {
  const followed = String(row.payload.followed)
  const columns = readFollowed(followed) as FollowedColumns
  const storedName = await nameOfFollowed(columns)
  if (!storedName) return null
  // Not the title, which anyone may have written (decision 7.4).
  const name = columns.incidentId === null ? storedName : `INC-${columns.incidentId}`
  if (!('emailFollowerId' in reader.who)) throw new Error('a confirmation for an account')
  const { href, expiresAt } = await mintLink({ purpose: 'follow', who: reader.who, data: { followed } })
  const p = reader.t.followEmails.confirm
  const [subject, title] = [p.subject(name), p.title(name)]
  const leads = [p.lead, until(reader, expiresAt)]
  const button = { href, text: p.button }
  return { ...accountEmail({ subject, title, leads, button, why: p.why }), about: { list: 'follow' } }
}
