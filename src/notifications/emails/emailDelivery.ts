import type { User } from '../../accounts/people/user.js'
import { Contact } from '../../building/building.js'
import { own } from '../../vocabulary/collections.js'
import type { EmailBudget } from '../../vocabulary/countedLimits.js'
import type {
  Attempt,
  Deliver,
  DeliveryOutcome,
  Email,
  OutboxMessage,
} from '../../vocabulary/email/delivery.js'
import { type NotificationSetting, wants } from '../../vocabulary/events.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { allowEmail, type EmailFollower, findEmailFollower, nameEmail } from '../follow/followerQueries.js'
import { type Reader, readerByAddress, readerOf, readerOfContact } from './reader.js'
import { type EmailContent, messageName, renderEmail } from './renderedEmail.js'
import { dropped, recipientOf, stillFollowed } from './suppression.js'

type Send = (email: Email) => Promise<DeliveryOutcome>

/** Renders the email of an outbox row for a contact of the office, and passes it to `send`. */
async function deliverToContact(
  kind: EmailDefinition,
  row: OutboxMessage,
  send: Send,
): Promise<DeliveryOutcome> {
  const contact = await Contact.query().findById(row.contactId!)
  if (!contact?.email) return dropped('no recipient')
  if (kind.for !== 'contact') return dropped('not for contacts')
  const reader = await readerOfContact(contact)
  const content = await kind.render(reader, row)
  return content ? send(await renderEmail(content, reader, row)) : dropped('no incident')
}

/**
 * Renders the email of an outbox row and passes it to `send`. The event chose the recipient;
 * whether they may and want to get it, and what they may see, is decided only now. `refused`: an
 * address without account did.
 */
export function emailDelivery(
  kinds: Readonly<Record<string, EmailDefinition>>,
  send: (email: Email, attempt: Attempt) => Promise<DeliveryOutcome>,
  refused: Refused = async () => {},
): Deliver {
  return async (row, attempt = {}) => {
    const kind = own<EmailDefinition>(kinds, row.event)
    if (!kind) return { as: 'failed', why: 'unknown kind of mail' }
    const sendIt: Send = (email) => send(email, attempt)
    if (row.emailFollowerId !== null) return deliverToAddress(kind, row, { send: sendIt, refused })
    if (row.contactId) return deliverToContact(kind, row, sendIt)
    const user = await recipientOf(row)
    if (!user) return dropped('no recipient')
    const obstacle = obstacleFor(user, kind)
    if (obstacle) return dropped(obstacle)
    const wanted = kind.for === 'followers' ? await stillFollowed({ userId: user.id }, row) : row
    if (!wanted) return dropped('not followed')
    const reader = await readerOf(user)
    const content = await kind.render(reader, wanted)
    return content ? sendIt(await renderEmail(content, reader, wanted)) : dropped('no incident')
  }
}

function obstacleFor(user: User, kind: EmailDefinition): string | null {
  if (user.isMobileReporter) return 'no mailbox'
  if (kind.for === 'staff' && !isStaff(user.role)) return 'not staff'
  if (kind.for === 'contact') return 'for contacts only'
  return kind.setting && !wants(user.notifications, kind.setting) ? 'not wanted' : null
}

/** Called when a person's server refused an email for good. */
type Refused = (emailFollowerId: number) => Promise<void>

/** Code in the outbox for an email kept by the limits of decision 7.4. */
const overLimit = 'over the limit'

/**
 * Renders the email of an outbox row for a person without an account, within the limits of decision
 * 7.4, and passes it to `send`.
 */
async function deliverToAddress(
  kind: EmailDefinition,
  row: OutboxMessage,
  { send, refused }: { send: Send; refused: Refused },
): Promise<DeliveryOutcome> {
  const person = await findEmailFollower(row.emailFollowerId!)
  if (!person) return dropped('no recipient')
  const obstacle = obstacleToAddress(person, kind)
  if (obstacle) return dropped(obstacle)
  const wanted = kind.for === 'followers' ? await stillFollowed({ emailFollowerId: person.id }, row) : row
  if (!wanted) return dropped('not followed')
  const { network, isProven } = row.payload
  const allowed = await allowEmail(person, kind.budget ?? 'acknowledgement', {
    network: typeof network === 'string' ? network : null,
    isProven: isProven === true,
  })
  if ('wait' in allowed) {
    const { wait } = allowed
    return { as: 'heldBack', why: overLimit, seconds: wait > (kind.longestWait ?? wait) ? 'dropped' : wait }
  }
  const outcome = await rendered(kind, wanted, person, send).catch(async (error: unknown) => {
    await allowed.takeBack()
    throw error
  })
  if (outcome.as !== 'sent' && outcome.as !== 'unconfirmed') await allowed.takeBack()
  if (outcome.as === 'failed') await refused(person.id)
  return outcome
}

async function rendered(
  kind: EmailDefinition,
  row: OutboxMessage,
  person: EmailFollower,
  send: Send,
): Promise<DeliveryOutcome> {
  const reader = await readerByAddress(person)
  const content = await kind.render(reader, row)
  if (!content) return dropped('no incident')
  await nameEmail(row.id, messageName(row))
  return send(await renderEmail(content, reader, row))
}

function obstacleToAddress(person: EmailFollower, kind: EmailDefinition): string | null {
  if (person.stopped === 'refused') return 'address stopped'
  if (kind.for === 'themselves' && !kind.toAddresses) return 'not for addresses'
  if (kind.for === 'staff' || kind.for === 'contact') return 'not for addresses'
  if (kind.budget === 'confirmation') return null
  if (person.stopped) return 'not wanted'
  return kind.budget || person.clicked ? null : 'not confirmed'
}

/** A kind of email: its recipients, the setting that turns it off, if any, and its renderer. */
export type EmailDefinition = {
  for: 'staff' | 'followers' | 'themselves' | 'contact'
  setting: NotificationSetting | null
  render: (reader: Reader, row: OutboxMessage) => Promise<EmailContent | null>
  /** Emails of a kind for people themselves also go to people without an account. */
  toAddresses?: true
  /**
   * The budget it spends when it goes to a person without an account who has pressed no button of
   * ours; they get no other kind (decision 7.4).
   */
  budget?: EmailBudget
  /**
   * Seconds that it waits at most where that budget is spent: later it would come too late, and is
   * dropped instead. By default it waits as long as it takes.
   */
  longestWait?: number
}
