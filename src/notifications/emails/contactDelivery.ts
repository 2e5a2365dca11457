import { Contact } from '../../building/building.js'
import type { DeliveryOutcome, OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Email } from '../../vocabulary/email/email.js'
import type { EmailKind } from './kind.js'
import { readerOfContact } from './reader.js'
import { renderEmail } from './renderedEmail.js'
import { dropped } from './suppression.js'

/** Renders the mail of an outbox row for a contact of the office, and passes it to `send`. */
export async function deliverToContact(
  kind: EmailKind,
  row: OutboxMessage,
  send: (letter: Email) => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  const contact = await Contact.query().findById(row.contactId!)
  if (!contact?.email) return dropped('no recipient')
  if (kind.for !== 'contact') return dropped('not for contacts')
  const reader = await readerOfContact(contact)
  const content = await kind.tell(reader, row)
  return content ? send(renderEmail(content, reader, row)) : dropped('no incident')
}
