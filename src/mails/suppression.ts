import { type NotificationSetting, wants } from '../domain/accounts/notifications.js'
import type { DeliveryOutcome, OutboxMessage } from '../domain/mail/delivery.js'
import { follows } from '../models/accounts/notification.js'
import { User } from '../models/accounts/user.js'

/** Nobody is told, and nobody did anything wrong. */
export function dropped(why: string): DeliveryOutcome {
  return { as: 'dropped', why }
}

/** Whom an outbox row is for; null when they are gone or not active any more. */
export async function recipientOf({ recipientId }: OutboxMessage): Promise<User | null> {
  const user = recipientId === null ? undefined : await User.query().findById(recipientId)
  return user?.active ? user : null
}

/** Why somebody who was to be told is not to be told any more, if so: what they said since then counts. */
export async function suppressionReason(
  user: User,
  setting: NotificationSetting,
  following: number | null,
): Promise<string | null> {
  if (!wants(user.notifications, setting)) return 'not wanted'
  return following === null || (await follows(user.id, following)) ? null : 'not followed'
}
