import type { OutboxMessage } from '../../vocabulary/email/delivery.js'

/**
 * Sequential per recipient, in the order of the events; several recipients in parallel. What is
 * slow is overtaken, also by emails to the same person: a sign-in link waits for no other.
 */
export async function inOrderPerRecipient<T>(
  rows: OutboxMessage[],
  atOnce: number,
  send: (row: OutboxMessage) => Promise<T>,
): Promise<T[]> {
  const queues = [...new Set(rows.map(recipientKey))].map((key) =>
    rows.filter((row) => recipientKey(row) === key),
  )
  const results: T[] = []
  const work = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const row of queue) results.push(await send(row))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

const recipientKey = ({ recipientId, emailFollowerId, contactId }: OutboxMessage) =>
  `${recipientId} ${emailFollowerId} ${contactId}`
