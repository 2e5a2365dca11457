import type { EmailName } from '../../vocabulary/events.js'
import type { Change } from '../db/change.js'
import { statement } from '../db/statement.js'
import { enqueueSql } from './outboxRow.js'

/** Who gets an email: an account, an address without one that follows something, or a contact. */
export type Recipients = { users: readonly number[] } | { emailFollower: number } | { contact: number }

type Email = {
  incidentId?: number | null
  payload?: object
  /** Its emails are written once for each recipient, however often they are asked for. */
  once?: string | null
}

/** The field of an outbox row that names these recipients, and their ids. */
function recipientIds(recipients: Recipients): {
  field: 'userId' | 'emailFollowerId' | 'contactId'
  ids: readonly number[]
} {
  if ('users' in recipients) return { field: 'userId', ids: recipients.users }
  if ('emailFollower' in recipients) return { field: 'emailFollowerId', ids: [recipients.emailFollower] }
  return { field: 'contactId', ids: [recipients.contact] }
}

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
  const { field, ids } = recipientIds(to)
  const { text, values } = statement((bind) => {
    const row = {
      event: bind(event),
      [field]: 'recipient',
      incidentId: `${bind(incidentId)}::integer`,
      payload: `${bind(JSON.stringify(payload))}::jsonb`,
      createdAt: `${bind(c.now)}::timestamptz`,
      onceKey: `${bind(once)}::text || ':' || recipient`,
    }
    const recipients = `from unnest(${bind(ids)}::integer[]) with ordinality as r (recipient, place)`
    return `${enqueueSql(row, `${recipients} order by place`)}
      on conflict (once_key) where once_key is not null do nothing
      returning id`
  })
  const rows = await c.query<{ id: number }>(text, values)
  return rows.map(({ id }) => id)
}
