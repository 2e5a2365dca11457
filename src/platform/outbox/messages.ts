import {
  type Deliver,
  type DeliveryOutcome,
  maxAttempts,
  nextAttempt,
  type OutboxMessage,
} from '../../vocabulary/email/delivery.js'
import { log } from '../ops/log.js'
import { countDelivery } from '../ops/process/counters.js'
import { inSpan } from '../ops/tracing.js'
import { failingMessages } from './failing.js'
import type { Sender } from './outbox.js'
import {
  claimOutgoing,
  failOutgoing,
  finishOutgoing,
  holdBackOutgoing,
  mayBegin,
  postponeOutgoing,
  releaseOutgoing,
} from './outboxMessage.js'

type Kind = OutboxMessage['kind']
const kinds: Kind[] = ['mail', 'push']

export type MessageOptions = {
  /** Rows per claim: few, because all should be sent within the lease. */
  batch?: number
  /** Concurrent sends, of each kind. */
  atOnce?: number
  /** Seconds of the lease; what a slow server leaves no time for is given back. */
  lease?: number
  /** Milliseconds that sends under way may take after `stop`. */
  grace?: number
}

/** `grace`: a working server takes a mail within it, and platforms wait at least twice as long for a process to end. */
const defaults = { batch: 12, atOnce: 4, lease: 300, grace: 4_000 }
/** Seconds of the lease that must be left to begin a row: the slowest mail takes 30 of them. */
const enoughLease = 45
/** Milliseconds between two lines about retries of one kind. */
const warnEvery = 60_000

/**
 * Sends mails and pushes, from any number of processes; temporary failures are retried with backoff, then given up
 * (decision 4.8 excludes retries only for webhooks). A crash before the note can send twice, with one Message-ID.
 */
export function messageSender(
  deliver: Record<Kind, Deliver>,
  fanOut: (stopped: () => boolean) => Promise<void>,
  options: MessageOptions = {},
): Sender {
  const { batch, atOnce, lease, grace } = { ...defaults, ...options }
  const ending = new AbortController()
  const warn = { mail: retryWarning('mail'), push: retryWarning('push') }
  let stopped = false

  /** True when more may be due now; a batch with no success means that the server is away. */
  async function sendSome(kind: Kind): Promise<boolean> {
    const claimed = await claimOutgoing(kind, { most: batch, lease })
    const unbegun: OutboxMessage[] = []
    const outcomes = await inOrderPerRecipient(claimed, atOnce, async (row) => {
      if (stopped || !(await mayBegin(row, enoughLease))) return unsent(row)
      const began = performance.now()
      const outcome = await traced(row, () => attempt(deliver[kind], row, ending.signal))
      note(row, outcome, performance.now() - began)
      if (outcome.as === 'unsent') return unsent(row)
      await settle(row, outcome).catch((error: unknown) => log.error({ error, id: row.id }, 'outcome lost'))
      return outcome
    })
    if (unbegun.length > 0) await releaseOutgoing(unbegun)
    if (outcomes.some(({ as }) => as === 'retry')) await warn[kind]()
    return claimed.length === batch && outcomes.some(({ as }) => as !== 'retry' && as !== 'unsent')

    function unsent(row: OutboxMessage): DeliveryOutcome {
      unbegun.push(row)
      return { as: 'unsent' }
    }
  }

  async function sendAll(kind: Kind): Promise<void> {
    if (kind === 'mail') await fanOut(() => stopped)
    while (!stopped && (await sendSome(kind))) {}
  }

  const drains = kinds.map((kind) => onceAtATime(() => sendAll(kind)))
  return {
    name: 'messages',
    drain: async () => void (await Promise.all(drains.map((drain) => drain()))),
    stop: () => {
      stopped = true
      setTimeout(() => ending.abort(), grace).unref()
    },
  }
}

/** Says that attempts fail, at most once a minute: why, how many wait, and since when the oldest does. */
function retryWarning(kind: Kind): () => Promise<void> {
  let warnedAt = -Infinity
  return async () => {
    if (performance.now() - warnedAt < warnEvery) return
    const failing = (await failingMessages()).find((each) => each.kind === kind)
    if (!failing) return
    warnedAt = performance.now()
    const { why, reason, count, since, oldestAt } = failing
    const oldestSeconds = Math.round((Date.now() - oldestAt.getTime()) / 1000)
    log.warn({ kind, why, reason, waiting: count, since, oldestSeconds }, 'messages wait')
  }
}

/** One line for each attempt; of the request that caused it, too, and never of who it is for. */
function note(
  { id, kind, event, attempts, requestId }: OutboxMessage,
  outcome: DeliveryOutcome,
  ms: number,
): void {
  countDelivery(kind, outcome.as)
  const why = 'why' in outcome ? { why: outcome.why } : {}
  log.info(
    { requestId, kind, event, id, attempts, result: outcome.as, ...why, ms: Math.round(ms) },
    'delivery',
  )
}

/** A span of its own trace, which names the request that caused it and never who it is for. */
function traced(row: OutboxMessage, send: () => Promise<DeliveryOutcome>): Promise<DeliveryOutcome> {
  const { id, kind, event, attempts, requestId } = row
  const attributes = {
    'caretaker.delivery.id': id,
    'caretaker.delivery.attempts': attempts,
    'caretaker.event': event,
    'caretaker.request_id': requestId ?? undefined,
  }
  return inSpan({ name: `send ${kind}`, kind: 'producer', attributes }, send, ({ as }) => ({
    attributes: { 'caretaker.delivery.result': as },
    error: as === 'failed' || as === 'retry' ? as : undefined,
  }))
}

/** A crash also uses up an attempt, so a message that kills its process is given up in the end. */
async function attempt(deliver: Deliver, row: OutboxMessage, stop: AbortSignal): Promise<DeliveryOutcome> {
  if (row.attempts > maxAttempts) return { as: 'failed', why: 'never finished' }
  try {
    return await deliver(row, stop)
  } catch (error) {
    log.error({ error, id: row.id, event: row.event }, 'message not made')
    return { as: 'retry', why: 'internal error' }
  }
}

/** When the database is away here, the lease expires and the message is sent once more. */
async function settle(
  row: OutboxMessage,
  outcome: Exclude<DeliveryOutcome, { as: 'unsent' }>,
): Promise<void> {
  if (outcome.as === 'sent') await finishOutgoing(row.id, null)
  else if (outcome.as === 'dropped') await finishOutgoing(row.id, short(`dropped: ${outcome.why}`))
  else if (outcome.as === 'failed') await giveUp(row, outcome.why)
  else if (outcome.as === 'heldBack') await holdBackOutgoing(row, outcome.seconds, short(outcome.why))
  else {
    const wait = nextAttempt(row.attempts, outcome.after)
    if (wait === null) await giveUp(row, outcome.why)
    else await postponeOutgoing(row, wait, short(outcome.why))
  }
}

async function giveUp(row: OutboxMessage, why: string): Promise<void> {
  log.warn({ id: row.id, kind: row.kind, event: row.event, attempts: row.attempts, why }, 'message failed')
  await failOutgoing(row, short(why))
}

const short = (why: string) => why.slice(0, 200)

/** Sequential per recipient, in the order of the events; several recipients in parallel. */
async function inOrderPerRecipient<T>(
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

const recipientKey = ({ recipientId, mailFollowerId, contactId }: OutboxMessage) =>
  `${recipientId} ${mailFollowerId} ${contactId}`

/** Calls during a run share one further run, and wait for it. */
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
