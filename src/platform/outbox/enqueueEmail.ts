import type { EmailName } from '../../vocabulary/events.js'
import type { Change } from '../db/change.js'

/** Who gets an email: an account, an address without one that follows something, or a contact. */
export type Recipients = { users: readonly number[] } | { follower: number } | { contact: number }

type Email = {
  incidentId?: number | null
  payload?: object
  /** Its emails are written once for each recipient, however often they are asked for. */
  once?: string | null
}

/** SQL expressions of an outbox row; `dueAt`: when it is first sent, at once by default. */
type QueuedRow = {
  kind?: 'mail' | 'push'
  event: string
  userId?: string
  followerId?: string
  contactId?: string
  incidentId?: string
  payload?: string
  createdAt: string
  dueAt?: string
  /** What waits under the same key takes the new row in (`takingIn`). */
  gatherKey?: string
  onceKey?: string
  /** By default the request of the transaction. */
  requestId?: string
}

/**
 * SQL: queues a message for each row of `from`, an SQL text that begins with its own `from` or
 * `where`. Every row of the outbox is written by it.
 */
export function enqueueSql({ kind = 'mail', createdAt, dueAt = createdAt, ...row }: QueuedRow, from: string) {
  const columns = {
    kind: `'${kind}'`,
    event: row.event,
    recipient_id: row.userId,
    email_follower_id: row.followerId,
    contact_id: row.contactId,
    incident_id: row.incidentId,
    payload: row.payload,
    created_at: createdAt,
    next_attempt_at: dueAt,
    gather_key: row.gatherKey,
    once_key: row.onceKey,
    request_id: row.requestId,
  }
  const given = Object.entries(columns).filter(([, sql]) => sql !== undefined)
  return `
    insert into outbox (${given.map(([name]) => name).join(', ')})
    select ${given.map(([, sql]) => sql).join(', ')}
    ${from}`
}

const recipientOf = { users: 'userId', follower: 'followerId', contact: 'contactId' } as const

/**
 * Queues an email of this kind to each recipient, in the change's transaction.
 * Returns the ids of the rows it wrote.
 */
export async function enqueueEmail(
  c: Change,
  event: EmailName,
  to: Recipients,
  { incidentId = null, payload = {}, once = null }: Email = {},
): Promise<number[]> {
  const [[kind, value]] = Object.entries(to) as [[keyof typeof recipientOf, number | number[]]]
  const row = {
    event: '$1',
    [recipientOf[kind]]: 'recipient',
    incidentId: '$3::integer',
    payload: '$4::jsonb',
    createdAt: '$5::timestamptz',
    onceKey: `$6::text || ':' || recipient`,
  }
  const rows = await c.query<{ id: number }>(
    `${enqueueSql(row, 'from unnest($2::integer[]) with ordinality as asked (recipient, place) order by place')}
     on conflict (once_key) where once_key is not null do nothing
     returning id`,
    [event, [value].flat(), incidentId, JSON.stringify(payload), c.now, once],
  )
  return rows.map(({ id }) => id)
}
