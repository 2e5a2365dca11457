import { User } from '../../platform/http/session/user.js'
import {
  type DeliveryOutcome,
  gathered,
  type OutboxMessage,
  partsOf,
} from '../../vocabulary/email/delivery.js'
import { type FollowedColumns, readFollowed } from '../../vocabulary/email/followed.js'
import { type NotificationSetting, wants } from '../../vocabulary/events.js'
import { type Follower, followedAmong, followsAny } from '../follow/followerQueries.js'

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
export async function stillFollowed(who: Follower, row: OutboxMessage): Promise<OutboxMessage | null> {
  const { followed } = row.payload
  if (followed) return (await followsAny(who, columnsOf(String(followed)))) ? row : null
  const parts = partsOf(row)
  const ids = parts.flatMap(({ incidentId }) => incidentId ?? [])
  const left = await ('userId' in who ? followedAmong(who.userId, ids) : followedByAddress(who, ids))
  return gathered(parts.filter(({ incidentId }) => incidentId === null || left.has(incidentId)))
}

/** By what the recipient gets a mail: the payload's list. */
const columnsOf = (followed: string): FollowedColumns[] =>
  followed.split(',').flatMap((text) => readFollowed(text) ?? [])

async function followedByAddress(who: Follower, ids: readonly number[]): Promise<Set<number>> {
  const left = new Set<number>()
  for (const incidentId of new Set(ids))
    if (await followsAny(who, [{ incidentId, assetId: null, towerId: null }])) left.add(incidentId)
  return left
}
