import type { Change } from '../db/change.js'

/** Who gets an email: an account, an address without one that follows something, or a contact. */
export type Recipients = { users: readonly number[] } | { follower: number } | { contact: number }

type Email = {
  incidentId?: number | null
  payload?: object
  /** Its emails are written once for each recipient, however often they are asked for. */
  once?: string | null
}

const columns = { users: 'recipient_id', follower: 'mail_follower_id', contact: 'contact_id' }

/**
 * Queues an email of this kind (`app/senders.ts`) to each recipient, in the change's transaction.
 * Returns the ids of the rows it wrote.
 */
export async function enqueueEmail(
  c: Change,
  event: string,
  to: Recipients,
  { incidentId = null, payload = {}, once = null }: Email = {},
): Promise<number[]> {
  const [[kind, value]] = Object.entries(to) as [[keyof typeof columns, number | number[]]]
  const rows = await c.query<{ id: number }>(
    `insert into outbox (kind, event, ${columns[kind]}, incident_id, payload, created_at, next_attempt_at, once_key)
     select 'mail', $1, recipient, $3, $4, $5, $5, $6::text || ':' || recipient
     from unnest($2::integer[]) with ordinality as asked (recipient, place) order by place
     on conflict (once_key) where once_key is not null do nothing
     returning id`,
    [event, [value].flat(), incidentId, JSON.stringify(payload), c.now, once],
  )
  return rows.map(({ id }) => id)
}
