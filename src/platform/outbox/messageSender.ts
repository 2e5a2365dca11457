import type { Attempt, Deliver, DeliveryOutcome, OutboxMessage } from '../../vocabulary/email/delivery.js'
import { noteDatabaseAnswer } from '../db/availability.js'
import { attemptDelivery } from './attemptDelivery.js'
import { coalesceRuns } from './coalesceRuns.js'
import { inOrderPerRecipient } from './inOrderPerRecipient.js'
import type { Sender } from './outbox.js'
import { beginMessage, claimMessages, noteHandOver, releaseMessages } from './outboxQueries.js'
import { renewWhile } from './renewWhile.js'
import { retryWarning, type SendResult } from './retryWarning.js'
import { slowSends } from './slowSends.js'
import { storeOutcomePatiently } from './storeOutcome.js'

type Kind = OutboxMessage['kind']
const kinds: Kind[] = ['mail', 'push']

export type MessageOptions = {
  /** Rows per claim. */
  batch?: number
  /** Concurrent sends, of each kind; without those that are slow. */
  atOnce?: number
  /** Seconds until a row is sent again whose process died before it handed it over. */
  lease?: number
  /** Milliseconds after which a send is slow: it goes on, and the next begins. */
  slowAfter?: number
  /** Slow sends under way, of each kind. */
  mostSlow?: number
  /** Milliseconds that sends under way may take after `stop`. */
  grace?: number
}

/**
 * `lease`: renewed as long as the process lives, so it need not last as long as the slowest email.
 * `mostSlow`: each holds a connection and an email of 2.5 MB at most. `grace`: a working server
 * takes an email within it, and platforms wait at least twice as long for a process to end.
 */
const defaults: Required<MessageOptions> = {
  batch: 12,
  atOnce: 4,
  lease: 60,
  slowAfter: 10_000,
  mostSlow: 40,
  grace: 4_000,
}
/** Seconds until waiting rows are another process's, unless renewed: this process is dead then. */
const waitingLease = 15

/**
 * Sends emails and pushes, from any number of processes; temporary failures are retried with
 * backoff, then given up (decision 4.8 excludes retries only for webhooks). An email is never sent
 * twice (decision 9.8). A push is, when its process dies while the service takes it: the device
 * shows the second in place of the first.
 */
export function messageSender(deliver: Record<Kind, Deliver>, options: MessageOptions = {}): Sender {
  const senders = kinds.map((kind) => kindSender(kind, deliver[kind], { ...defaults, ...options }))
  return {
    name: 'messages',
    drain: async () => {
      await Promise.all(senders.map((sender) => sender.drain()))
    },
    stop: () => {
      for (const sender of senders) sender.stop()
    },
  }
}

/** Sends the messages of one kind. `drain` and `stop` are those of a `Sender`. */
function kindSender(kind: Kind, deliver: Deliver, options: Required<MessageOptions>) {
  const { batch, atOnce, lease, slowAfter, mostSlow, grace } = options
  const warning = retryWarning(kind)
  const background = slowSends({ kind, slowAfter, mostSlow, observe: warning.observe })
  /** Cuts attempts short. */
  const ending = new AbortController()
  let isStopped = false

  /** True when more may be due now; a batch with no success means that the server is away. */
  async function sendBatch(): Promise<boolean> {
    const claimed = await claimMessages(kind, { most: batch, lease: waitingLease })
    noteDatabaseAnswer()
    const notStarted: OutboxMessage[] = []
    const waiting = new Set(claimed)
    const begin = async (message: OutboxMessage): Promise<SendResult> => {
      const isStarted = !isStopped && (await beginMessage(message, lease).catch(() => false))
      waiting.delete(message)
      if (isStarted) return background.outcomeOf(send(message))
      notStarted.push(message)
      return { as: 'unsent' }
    }
    const results = await renewWhile(waiting, waitingLease, () => inOrderPerRecipient(claimed, atOnce, begin))
    if (notStarted.length > 0) await releaseMessages(notStarted)
    await warning.observe(results)
    return claimed.length === batch && results.some(({ as }) => as !== 'retry' && as !== 'unsent')
  }

  /** Sends a message that was begun and stores the outcome. Never throws. */
  async function send(message: OutboxMessage): Promise<DeliveryOutcome> {
    const attempt: Attempt = {
      stop: ending.signal,
      noteHandOver: (seconds) => noteHandOver(message, seconds),
    }
    const outcome = await renewWhile(new Set([message]), lease, () =>
      attemptDelivery(deliver, message, attempt),
    )
    await storeOutcomePatiently(message, outcome, () => isStopped)
    return outcome
  }

  const sendAll = coalesceRuns(async () => {
    while (!isStopped && (await sendBatch())) {}
  })
  return {
    async drain(): Promise<void> {
      await sendAll()
      await background.whenEnded()
    },
    stop(): void {
      isStopped = true
      setTimeout(() => ending.abort(), grace).unref()
    },
  }
}
