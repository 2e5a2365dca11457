import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Attempt,
  type Deliver,
  type DeliveryOutcome,
  maxAttempts,
  nextAttempt,
  type OutboxMessage,
} from '../../vocabulary/email/delivery.js'
import { noteDatabaseAnswer, noteDatabaseFailure } from '../db/availability.js'
import { countDelivery } from '../process/counters.js'
import { log } from '../process/log.js'
import { inSpan } from '../process/tracing.js'
import type { Sender } from './outbox.js'
import {
  beginOutgoing,
  claimOutgoing,
  failingMessages,
  failOutgoing,
  finishOutgoing,
  holdBackOutgoing,
  leaveUnconfirmed,
  noteHandOver,
  postponeOutgoing,
  releaseOutgoing,
  renewOutgoing,
} from './outboxMessage.js'

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
const defaults = { batch: 12, atOnce: 4, lease: 60, slowAfter: 10_000, mostSlow: 40, grace: 4_000 }
/** Seconds until waiting rows are another process's, unless renewed: this process is dead then. */
const waitingLease = 15
/**
 * Milliseconds between two renewals of rows that wait; of those being sent, a third of their lease.
 */
const renewEvery = 5_000
/**
 * Milliseconds between two tries to note an outcome while the database is away, and how long a
 * stopped process tries.
 */
const pause = 500
const lastPatience = 2_000
/** Milliseconds between two lines about retries of one kind, and of those for the same reason. */
const warnEvery = 60_000
const remindEvery = 3_600_000

/**
 * Sends emails and pushes, from any number of processes; temporary failures are retried with
 * backoff, then given up (decision 4.8 excludes retries only for webhooks). An email is never sent
 * twice (decision 9.8). A push is, when its process dies while the service takes it: the device
 * shows the second in place of the first.
 */
export function messageSender(deliver: Record<Kind, Deliver>, options: MessageOptions = {}): Sender {
  const { batch, atOnce, lease, slowAfter, mostSlow, grace } = { ...defaults, ...options }
  const ending = new AbortController()
  const warn = { mail: retryWarning('mail'), push: retryWarning('push') }
  const slow = { mail: new Set<Promise<void>>(), push: new Set<Promise<void>>() }
  let stopped = false

  /** True when more may be due now; a batch with no success means that the server is away. */
  async function sendSome(kind: Kind): Promise<boolean> {
    const claimed = await claimOutgoing(kind, { most: batch, lease: waitingLease })
    noteDatabaseAnswer()
    const unbegun: OutboxMessage[] = []
    const waiting = new Set(claimed)
    const renewing = setInterval(
      // When the database is away no one else can take them, and afterwards they are due.
      () => void renewOutgoing([...waiting], waitingLease).catch(() => {}),
      renewEvery,
    )
    const outcomes = await inOrderPerRecipient<Ended>(claimed, atOnce, async (row) => {
      const begun = !stopped && (await beginOutgoing(row, lease).catch(() => false))
      waiting.delete(row)
      if (begun) return unlessSlow(kind, sendOne(kind, row))
      unbegun.push(row)
      return { as: 'unsent' }
    }).finally(() => clearInterval(renewing))
    if (unbegun.length > 0) await releaseOutgoing(unbegun)
    await warn[kind].ended(outcomes)
    return claimed.length === batch && outcomes.some(({ as }) => as !== 'retry' && as !== 'unsent')
  }

  /** Sends a begun row and notes the outcome. Never throws. */
  async function sendOne(kind: Kind, row: OutboxMessage): Promise<DeliveryOutcome> {
    const renewing = setInterval(() => void renewOutgoing([row], lease).catch(() => {}), (lease * 1_000) / 3)
    const began = performance.now()
    const given: Attempt = {
      stop: ending.signal,
      noteHandOver: (seconds) => noteHandOver(row, seconds),
    }
    const outcome = await traced(row, () => attempt(deliver[kind], row, given)).finally(() =>
      clearInterval(renewing),
    )
    note(row, outcome, performance.now() - began)
    // While the database is away it cannot be given back, and its lease ends by itself.
    if (outcome.as === 'unsent') await releaseOutgoing([row]).catch(() => {})
    else await settleInTheEnd(row, outcome)
    return outcome
  }

  /**
   * The outcome of a send, or `slow` while it goes on: a slow mailbox keeps no one waiting, unless
   * there are too many of them.
   */
  async function unlessSlow(kind: Kind, sending: Promise<DeliveryOutcome>): Promise<Ended> {
    const waited = new AbortController()
    const isSlow = await Promise.race([
      sending.then(() => false),
      sleep(slowAfter, true, { signal: waited.signal, ref: false }).catch(() => false),
    ])
    waited.abort()
    if (!isSlow || slow[kind].size >= mostSlow) return sending
    const end = sending
      .then((ended) => warn[kind].ended([ended]))
      .catch((error: unknown) => {
        if (!noteDatabaseFailure(error)) log.error({ error, kind }, 'outbox')
      })
      .finally(() => slow[kind].delete(end))
    slow[kind].add(end)
    return { as: 'slow' }
  }

  /** While the database is away no one else can send the row: its outcome is noted afterwards. */
  async function settleInTheEnd(
    row: OutboxMessage,
    outcome: Exclude<DeliveryOutcome, { as: 'unsent' }>,
  ): Promise<void> {
    for (let stoppedAt: number | null = null; ; await sleep(pause)) {
      try {
        return await settle(row, outcome)
      } catch (error) {
        if (stopped) stoppedAt ??= performance.now()
        const isLate = stoppedAt !== null && performance.now() - stoppedAt > lastPatience
        if (noteDatabaseFailure(error) && !isLate) continue
        return log.error({ error, id: row.id }, 'outcome lost')
      }
    }
  }

  async function sendAll(kind: Kind): Promise<void> {
    while (!stopped && (await sendSome(kind))) {}
  }

  const drains = kinds.map((kind) => onceAtATime(() => sendAll(kind)))
  return {
    name: 'messages',
    drain: async () => {
      await Promise.all(drains.map((drain) => drain()))
      await Promise.all([...slow.mail, ...slow.push])
    },
    stop: () => {
      stopped = true
      setTimeout(() => ending.abort(), grace).unref()
    },
  }
}

type Ended = DeliveryOutcome | { as: 'slow' }

/** Logs that attempts fail, how many wait and since when; and once that they go out again. */
function retryWarning(kind: Kind) {
  let warned: { at: number; why: string; isOver: boolean } | null = null

  async function failed(answer: string | undefined): Promise<void> {
    if (warned && performance.now() - warned.at < warnEvery) return
    const failing = (await failingMessages()).find((each) => each.kind === kind)
    if (!failing) return
    const { why, reason, count, since, oldestAt } = failing
    const goesOn = warned?.why === why && !warned.isOver
    if (warned && goesOn && performance.now() - warned.at < remindEvery) return
    warned = { at: performance.now(), why, isOver: false }
    const oldestSeconds = Math.round((Date.now() - oldestAt.getTime()) / 1000)
    log.warn({ kind, why, answer, reason, waiting: count, since, oldestSeconds }, 'messages wait')
  }

  function sent(): void {
    if (!warned || warned.isOver) return
    warned.isOver = true
    log.info({ kind }, 'messages go out again')
  }

  return {
    async ended(outcomes: readonly Ended[]): Promise<void> {
      if (outcomes.some(({ as }) => as === 'sent')) sent()
      const refused = outcomes.find((outcome) => outcome.as === 'retry')
      if (refused?.as === 'retry') await failed(refused.answer)
    },
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
  const answer = 'answer' in outcome ? { answer: outcome.answer } : {}
  log.info(
    { requestId, kind, event, id, attempts, result: outcome.as, ...why, ...answer, ms: Math.round(ms) },
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
async function attempt(deliver: Deliver, row: OutboxMessage, given: Attempt): Promise<DeliveryOutcome> {
  if (row.attempts > maxAttempts) return { as: 'failed', why: 'never finished' }
  try {
    return await deliver(row, given)
  } catch (error) {
    log.error({ error, id: row.id, event: row.event }, 'message not made')
    return { as: 'retry', why: 'internal error' }
  }
}

async function settle(
  row: OutboxMessage,
  outcome: Exclude<DeliveryOutcome, { as: 'unsent' }>,
): Promise<void> {
  if (outcome.as === 'sent') await finishOutgoing(row.id, null)
  else if (outcome.as === 'unconfirmed') await endUnconfirmed(row, outcome.why)
  else if (outcome.as === 'dropped') await finishOutgoing(row.id, short(`dropped: ${outcome.why}`))
  else if (outcome.as === 'failed') await giveUp(row, outcome.why)
  else if (outcome.as === 'heldBack') await holdBackOutgoing(row, outcome.seconds, short(outcome.why))
  else {
    const wait = nextAttempt(row.attempts, outcome.after)
    if (wait === null) await giveUp(row, outcome.why)
    else await postponeOutgoing(row, wait, short(outcome.why))
  }
}

async function endUnconfirmed(row: OutboxMessage, why: string): Promise<void> {
  log.warn(
    { id: row.id, kind: row.kind, event: row.event, attempts: row.attempts, why },
    'message not confirmed',
  )
  await leaveUnconfirmed(row)
}

async function giveUp(row: OutboxMessage, why: string): Promise<void> {
  log.warn({ id: row.id, kind: row.kind, event: row.event, attempts: row.attempts, why }, 'message failed')
  await failOutgoing(row, short(why))
}

const short = (why: string) => why.slice(0, 200)

/**
 * Sequential per recipient, in the order of the events; several recipients in parallel. What is
 * slow is overtaken, also by emails to the same person: a sign-in link waits for no other.
 */
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

const recipientKey = ({ recipientId, emailFollowerId, contactId }: OutboxMessage) =>
  `${recipientId} ${emailFollowerId} ${contactId}`

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
