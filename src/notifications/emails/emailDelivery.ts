import type { User } from '../../accounts/users/user.js'
import { Contact } from '../../building/building.js'
import { query } from '../../platform/db/database.js'
import { own } from '../../vocabulary/collections.js'
import type { EmailBudget } from '../../vocabulary/countedLimits.js'
import {
  type Attempt,
  type Deliver,
  type DeliveryOutcome,
  dropped,
  type Email,
  type OutboxMessage,
} from '../../vocabulary/email/delivery.js'
import { type NotificationSetting, wants } from '../../vocabulary/notificationSettings.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { type EmailFollower, type Follower, findEmailFollower } from '../follow/followQueries.js'
import { allowEmail } from './emailBudget.js'
import { type Reader, readerOf, readerOfContact, readerOfEmailFollower } from './reader.js'
import { type EmailContent, messageName, renderEmail } from './renderEmail.js'
import { partsStillFollowed, recipientOf } from './stillWanted.js'

/** A kind of email: its recipients, the setting that turns it off, if any, and its renderer. */
export type EmailDefinition = {
  for: 'staff' | 'followers' | 'recipient' | 'contact'
  setting: NotificationSetting | null
  render: (reader: Reader, row: OutboxMessage) => Promise<EmailContent | null>
  /** Emails of a kind for the recipient alone also go to people without an account. */
  toEmailFollowers?: true
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

/** Called with a person without an account whose server refused an email for good. */
type OnRefused = (emailFollowerId: number) => Promise<void>

/**
 * Renders the email of an outbox row and passes it to `send`. The event chose the recipient;
 * whether they may and want to get it, and what they may see, is decided only now.
 */
export function emailDelivery(
  kinds: Readonly<Record<string, EmailDefinition>>,
  send: (email: Email, attempt: Attempt) => Promise<DeliveryOutcome>,
  onRefused: OnRefused = async () => {},
): Deliver {
  return async (row, attempt = {}) => {
    const kind = own<EmailDefinition>(kinds, row.event)
    if (!kind) return { as: 'failed', why: 'unknown kind of mail' }
    const recipient = await recipientFor(row, kind)
    if (!recipient) return dropped('no recipient')
    const { obstacle, follower, emailFollower } = recipient
    if (obstacle) return dropped(obstacle)
    const wanted = kind.for === 'followers' && follower ? await partsStillFollowed(follower, row) : row
    if (!wanted) return dropped('not followed')
    const renderAndSend = async () => {
      const reader = await recipient.reader()
      const content = await kind.render(reader, wanted)
      if (!content) return dropped('no incident')
      if (emailFollower) await nameEmail(row.id, messageName(wanted))
      return send(await renderEmail(content, reader, wanted), attempt)
    }
    if (!emailFollower) return renderAndSend()
    const outcome = await withinBudget(emailFollower, kind, wanted, renderAndSend)
    if (outcome.as === 'failed') await onRefused(emailFollower.id)
    return outcome
  }
}

/** Whom a row is for. */
type Recipient = {
  /** Why they get no email of this kind; null when they may and want to. */
  obstacle: string | null
  /** As whom they follow; null for a contact, who follows nothing. */
  follower: Follower | null
  /** A person without an account, to whom the limits of decision 7.4 apply. */
  emailFollower: EmailFollower | null
  reader: () => Promise<Reader>
}

/** Null when the recipient is gone. */
async function recipientFor(row: OutboxMessage, kind: EmailDefinition): Promise<Recipient | null> {
  if (row.emailFollowerId !== null) {
    const emailFollower = await findEmailFollower(row.emailFollowerId)
    return (
      emailFollower && {
        obstacle: obstacleForEmailFollower(emailFollower, kind),
        follower: { emailFollowerId: emailFollower.id },
        emailFollower,
        reader: () => readerOfEmailFollower(emailFollower),
      }
    )
  }
  if (row.contactId) {
    const contact = await Contact.query().findById(row.contactId)
    if (!contact?.email) return null
    return {
      obstacle: kind.for === 'contact' ? null : 'not for contacts',
      follower: null,
      emailFollower: null,
      reader: () => readerOfContact(contact),
    }
  }
  const user = await recipientOf(row)
  return (
    user && {
      obstacle: obstacleForUser(user, kind),
      follower: { userId: user.id },
      emailFollower: null,
      reader: () => readerOf(user),
    }
  )
}

function obstacleForUser(user: User, kind: EmailDefinition): string | null {
  if (user.isMobileReporter) return 'no mailbox'
  if (kind.for === 'staff' && !isStaff(user.role)) return 'not staff'
  if (kind.for === 'contact') return 'for contacts only'
  return kind.setting && !wants(user.notifications, kind.setting) ? 'not wanted' : null
}

function obstacleForEmailFollower(person: EmailFollower, kind: EmailDefinition): string | null {
  if (person.stopped === 'refused') return 'address stopped'
  if (kind.for === 'recipient' && !kind.toEmailFollowers) return 'not for addresses'
  if (kind.for === 'staff' || kind.for === 'contact') return 'not for addresses'
  // They have just asked for it, also after they stopped all emails.
  if (kind.budget === 'confirmation') return null
  if (person.stopped) return 'not wanted'
  // A kind with a budget answers what they did; others go to who has pressed a button of ours.
  return kind.budget || person.hasClicked ? null : 'not confirmed'
}

/** Code in the outbox for an email kept by the limits of decision 7.4. */
const overLimit = 'over the limit'

/** Sends within the limits of decision 7.4, which count only what was sent. */
async function withinBudget(
  person: EmailFollower,
  kind: EmailDefinition,
  { payload: { network, isProven } }: OutboxMessage,
  send: () => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  const allowed = await allowEmail(person, kind.budget ?? 'acknowledgement', {
    network: typeof network === 'string' ? network : null,
    isProven: isProven === true,
  })
  if ('wait' in allowed) {
    const { wait } = allowed
    return { as: 'heldBack', why: overLimit, seconds: wait > (kind.longestWait ?? wait) ? 'dropped' : wait }
  }
  const outcome = await send().catch(async (error: unknown) => {
    await allowed.takeBack()
    throw error
  })
  if (outcome.as !== 'sent' && outcome.as !== 'unconfirmed') await allowed.takeBack()
  return outcome
}

/** Stores the name of an email that is about to be sent: a bounce that quotes it is believed. */
async function nameEmail(outboxId: number, name: string): Promise<void> {
  await query('update outbox set message_name = $2 where id = $1 and message_name is null', [outboxId, name])
}
