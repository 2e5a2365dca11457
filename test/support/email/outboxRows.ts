import { query } from '../../../src/platform/db/database.js'
import { queryAfterFanOut } from '../sending.js'

/*
 * The rows of the outbox, for tests of what sends them: leases, pauses and failures that no request
 * brings about.
 */

/** What is to be left in the outbox. */
export type LeftMessages = { kind?: 'mail' | 'push'; recipientId?: number | null; count?: number }

/** Leaves messages of no kind that the product knows, due at once; returns their ids. */
export async function leaveMessages(left: LeftMessages = {}): Promise<number[]> {
  const { kind = 'mail', recipientId = null, count = 1 } = left
  const rows = await query<{ id: number }>(
    `insert into outbox (kind, event, recipient_id, payload)
     select $1, 'test', $2, jsonb_build_object('n', n) from generate_series(1, $3::integer) n returning id`,
    [kind, recipientId, count],
  )
  return rows.map(({ id }) => id)
}

/** Every message is due, as when the time has passed that it waits for. */
export const makeDue = () => queryAfterFanOut('update outbox set next_attempt_at = now()')

/** Sets columns of the last message that was left; returns its id. */
export async function setLastMessage(assignments: string, values: unknown[] = []): Promise<number> {
  const [row] = await queryAfterFanOut<{ id: number }>(
    `update outbox set ${assignments} where id = (select max(id) from outbox) returning id`,
    values,
  )
  return row!.id
}
