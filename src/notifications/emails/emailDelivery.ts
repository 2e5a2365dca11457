import { Contact } from '../../building/building.js'
import type { User } from '../../platform/http/session/user.js'
import { own } from '../../vocabulary/collections.js'
import type { Deliver, DeliveryOutcome, OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Email } from '../../vocabulary/email/email.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { deliverToAddress, type Refused } from './addressDelivery.js'
import type { EmailKind } from './kind.js'
import { readerOf, readerOfContact } from './reader.js'
import { renderEmail } from './renderedEmail.js'
import { dropped, recipientOf, stillFollowed, suppressionReason } from './suppression.js'

/** Renders the email of an outbox row for a contact of the office, and passes it to `send`. */
async function deliverToContact(
  kind: EmailKind,
  row: OutboxMessage,
  send: (letter: Email) => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  const contact = await Contact.query().findById(row.contactId!)
  if (!contact?.email) return dropped('no recipient')
  if (kind.for !== 'contact') return dropped('not for contacts')
  const reader = await readerOfContact(contact)
  const content = await kind.tell(reader, row)
  return content ? send(await renderEmail(content, reader, row)) : dropped('no incident')
}

/**
 * Renders the email of an outbox row and passes it to `send`. The event chose the recipient;
 * whether they may and want to get it, and what they may see, is decided only now. `refused`: an
 * address without account did.
 */
export function mailDelivery(
  kinds: Readonly<Record<string, EmailKind>>,
  send: (letter: Email, stop?: AbortSignal) => Promise<DeliveryOutcome>,
  refused: Refused = async () => {},
): Deliver {
  return async (row, stop) => {
    const kind = own<EmailKind>(kinds, row.event)
    if (!kind) return { as: 'failed', why: 'unknown kind of mail' }
    const sendIt = (letter: Email) => send(letter, stop)
    if (row.mailFollowerId !== null) return deliverToAddress(kind, row, { send: sendIt, refused })
    if (row.contactId) return deliverToContact(kind, row, sendIt)
    const user = await recipientOf(row)
    if (!user) return dropped('no recipient')
    const obstacle = obstacleFor(user, kind)
    if (obstacle) return dropped(obstacle)
    const wanted = kind.for === 'followers' ? await stillFollowed({ userId: user.id }, row) : row
    if (!wanted) return dropped('not followed')
    const reader = await readerOf(user)
    const content = await kind.tell(reader, wanted)
    return content ? sendIt(await renderEmail(content, reader, row)) : dropped('no incident')
  }
}

function obstacleFor(user: User, kind: EmailKind): string | null {
  if (user.isMobileReporter) return 'no mailbox'
  if (kind.for === 'staff' && !isStaff(user.role)) return 'not staff'
  if (kind.for === 'contact') return 'for contacts only'
  return kind.setting && suppressionReason(user, kind.setting)
}
