import { User } from '../../accounts/users/user.js'
import { gatherMessages, type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import { readFollowed } from '../../vocabulary/email/followed.js'
import { type Follower, followedAmong, followsAny } from '../follow/followQueries.js'

/** The recipient of an outbox row; null when deleted or inactive. */
export async function recipientOf({ recipientId }: OutboxMessage): Promise<User | null> {
  const user = recipientId === null ? undefined : await User.query().findById(recipientId)
  return user?.active ? user : null
}

/** What is left of a message to a follower who may have unfollowed since; null when nothing is. */
export async function partsStillFollowed(who: Follower, row: OutboxMessage): Promise<OutboxMessage | null> {
  const { followed } = row.payload
  if (followed) {
    const columns = String(followed)
      .split(',')
      .flatMap((text) => readFollowed(text) ?? [])
    return (await followsAny(who, columns)) ? row : null
  }
  const parts = partsOf(row)
  const ids = parts.flatMap(({ incidentId }) => incidentId ?? [])
  const left = await followedAmong(who, ids)
  return gatherMessages(parts.filter(({ incidentId }) => incidentId === null || left.has(incidentId)))
}
