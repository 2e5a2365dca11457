import { type NotificationSetting, wants } from '../domain/accounts/notifications.js'
import { type DeliveryOutcome, gathered, type OutboxMessage, partsOf } from '../domain/mail/delivery.js'
import { type FollowedColumns, readFollowed } from '../domain/mail/followed.js'
import { followedAmong } from '../models/accounts/notification.js'
import { User } from '../models/accounts/user.js'
import { followsAny } from '../models/mail/mailFollower.js'

/** The outcome of a message that need not be sent; it is no failure. */
export function dropped(why: string): DeliveryOutcome {
  return { as: 'dropped', why }
}

/** The recipient of an outbox row; null when deleted or inactive. */
export async function recipientOf({ recipientId }: OutboxMessage): Promise<User | null> {
  const user = recipientId === null ? undefined : await User.query().findById(recipientId)
  return user?.active ? user : null
}

/** Why not to send after all (opted out since queueing); null: send. */
export function suppressionReason(user: User, setting: NotificationSetting): string | null {
  return wants(user.notifications, setting) ? null : 'not wanted'
}

/** What is left of a message to a follower who may have unfollowed since; null when nothing is. */
export async function stillFollowed(user: User, row: OutboxMessage): Promise<OutboxMessage | null> {
  if (row.payload.followed) return (await followsAny({ userId: user.id }, followedIn(row))) ? row : null
  const parts = partsOf(row)
  const followed = await followedAmong(
    user.id,
    parts.flatMap(({ incidentId }) => incidentId ?? []),
  )
  return gathered(parts.filter(({ incidentId }) => incidentId === null || followed.has(incidentId)))
}

/** By what the recipient gets this mail: the incident, or the payload's list. */
export function followedIn({ incidentId, payload }: OutboxMessage): FollowedColumns[] {
  if (incidentId !== null) return [{ incidentId, assetId: null, towerId: null }]
  return String(payload.followed ?? '')
    .split(',')
    .flatMap((text) => readFollowed(text) ?? [])
}
