import {
  type Deliver,
  type DeliveryOutcome,
  maxAttempts,
  nextAttempt,
  type OutboxMessage,
} from '../domain/mail/delivery.js'
import { log } from '../log.js'
import {
  claimOutgoing,
  failOutgoing,
  finishOutgoing,
  postponeOutgoing,
} from '../models/mail/outboxMessage.js'
import type { Sender } from '../outbox.js'

type Kind = OutboxMessage['kind']
const kinds: Kind[] = ['mail', 'push']

export type MessageOptions = {
  /** Claimed together: small, because all of it must be sent within the lease. */
  batch?: number
  /** Sent at once, of each kind. */
  atOnce?: number
  /** Seconds a claim holds; longer than a batch of the slowest servers takes. */
  lease?: number
}

const defaults = { batch: 12, atOnce: 4, lease: 300 }

/**
 * Sends mails and pushes: each once, where the other side lets us, from any number of processes. What may work later is
 * tried again with growing pauses, then given up (decision 4.8 has no retries for webhooks; these have). A crash between
 * the server's yes and our note of it sends a mail twice, with the same Message-ID. Mails do not wait for pushes.
 */
export function messageSender(deliver: Record<Kind, Deliver>, options: MessageOptions = {}): Sender {
  const { batch, atOnce, lease } = { ...defaults, ...options }
  let stopped = false

  /** True when there may be more to send now; a batch of which nothing got through says that the server is away. */
  async function sendSome(kind: Kind): Promise<boolean> {
    const claimed = await claimOutgoing(kind, { most: batch, lease })
    const outcomes = await inOrderPerRecipient(claimed, atOnce, async (row) => {
      const outcome = await attempt(deliver[kind], row)
      await settle(row, outcome).catch((error: unknown) => log.error({ error, id: row.id }, 'outcome lost'))
      return outcome
    })
    return claimed.length === batch && outcomes.some(({ as }) => as !== 'retry')
  }

  async function sendAll(kind: Kind): Promise<void> {
    while (!stopped && (await sendSome(kind))) {}
  }

  const drains = kinds.map((kind) => onceAtATime(() => sendAll(kind)))
  return {
    name: 'messages',
    drain: async () => void (await Promise.all(drains.map((drain) => drain()))),
    stop: () => {
      stopped = true
    },
  }
}

/** Claims that ended with their process count, too: what kills every process that touches it is given up in the end. */
async function attempt(deliver: Deliver, row: OutboxMessage): Promise<DeliveryOutcome> {
  if (row.attempts > maxAttempts) return { as: 'failed', why: 'never finished' }
  try {
    return await deliver(row)
  } catch (error) {
    log.error({ error, id: row.id, event: row.event }, 'message not made')
    return { as: 'retry', why: 'internal error' }
  }
}

/** Without it, because the database went away, the lease ends and the message is sent once more. */
async function settle(row: OutboxMessage, outcome: DeliveryOutcome): Promise<void> {
  if (outcome.as === 'sent') await finishOutgoing(row.id, null)
  else if (outcome.as === 'dropped') await finishOutgoing(row.id, note(`dropped: ${outcome.why}`))
  else if (outcome.as === 'failed') await giveUp(row, outcome.why)
  else {
    const wait = nextAttempt(row.attempts, outcome.after)
    if (wait === null) await giveUp(row, outcome.why)
    else await postponeOutgoing(row, wait, note(outcome.why))
  }
}

async function giveUp(row: OutboxMessage, why: string): Promise<void> {
  log.warn({ id: row.id, kind: row.kind, event: row.event, attempts: row.attempts, why }, 'message failed')
  await failOutgoing(row, note(why))
}

const note = (why: string) => why.slice(0, 200)

/** One after the other for each recipient, in the order things happened; several recipients at once. */
async function inOrderPerRecipient<T>(
  rows: OutboxMessage[],
  atOnce: number,
  send: (row: OutboxMessage) => Promise<T>,
): Promise<T[]> {
  const queues = [...new Set(rows.map(({ recipientId }) => recipientId))].map((id) =>
    rows.filter(({ recipientId }) => recipientId === id),
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

/** While one run is under way, any number of calls ask for one more, and wait for it. */
function onceAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false
  async function run(): Promise<void> {
    try {
      while (again) {
        again = false
        await work()
      }
    } finally {
      running = null
    }
  }
  return () => {
    again = true
    running ??= run()
    return running
  }
}
