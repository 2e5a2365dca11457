import { type NotificationSetting, wants } from '../domain/accounts/notifications.js'
import type { DeliveryOutcome, OutboxMessage } from '../domain/mail/delivery.js'
import { follows } from '../models/accounts/notification.js'
import { User } from '../models/accounts/user.js'

/** The outcome of a message that need not be sent; it is no failure. */
export function dropped(why: string): DeliveryOutcome {
  return { as: 'dropped', why }
}

/** The recipient of an outbox row; null when deleted or inactive. */
export async function recipientOf({ recipientId }: OutboxMessage): Promise<User | null> {
  const user = recipientId === null ? undefined : await User.query().findById(recipientId)
  return user?.active ? user : null
}

/** Why not to send after all (opted out or unfollowed since queueing); null: send. */
export async function suppressionReason(
  user: User,
  setting: NotificationSetting,
  following: number | null,
): Promise<string | null> {
  if (!wants(user.notifications, setting)) return 'not wanted'
  return following === null || (await follows(user.id, following)) ? null : 'not followed'
}
