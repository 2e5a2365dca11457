import type { OutboxMessage } from '../../vocabulary/email/delivery.js'

/**
 * Sequential per recipient, in the order of the events; several recipients in parallel. What is
 * slow is overtaken, also by emails to the same person: a sign-in link waits for no other.
 */
export async function inOrderPerRecipient<T>(
  messages: OutboxMessage[],
  atOnce: number,
  send: (message: OutboxMessage) => Promise<T>,
): Promise<T[]> {
  const queues = [...new Set(messages.map(recipientKey))].map((key) =>
    messages.filter((message) => recipientKey(message) === key),
  )
  const results: T[] = []
  const work = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const message of queue) results.push(await send(message))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

const recipientKey = ({ recipientId, emailFollowerId, contactId }: OutboxMessage) =>
  `${recipientId} ${emailFollowerId} ${contactId}`
