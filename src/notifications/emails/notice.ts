import type { NoticeFacts } from '../../accounts/signIn/notices.js'
import { link } from '../../platform/mail/links.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Reader } from './reader.js'
import type { EmailContent } from './renderedEmail.js'

/**
 * A security notice about an account that was used or changed (decision 7.12): what, when, on which
 * device, and what to do. For a changed address it goes to the former one.
 */
export async function renderNotice({ t, h }: Reader, row: OutboxMessage): Promise<EmailContent> {
  const { notice, by, browser, system, to } = row.payload as NoticeFacts
  const p = t.noticeMails
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
