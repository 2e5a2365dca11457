import { nameOfFollowed } from '../../building/followedNames.js'
import { mintLink } from '../../platform/mail/emailLinks.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { type FollowedColumns, readFollowed } from '../../vocabulary/email/followed.js'
import type { Reader } from '../emails/reader.js'
import type { EmailContent } from '../emails/renderedEmail.js'

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
  const p = t.followMails.confirm
  return {
    view: 'account',
    subject: p.subject(name),
    about: { list: 'follow' },
    why: p.why,
    stop: null,
    given: {
      title: p.title(name),
      leads: [p.lead, t.accountMails.until(h.moment(expiresAt!.toISOString()))],
      button: { href, text: p.button },
    },
  }
}
