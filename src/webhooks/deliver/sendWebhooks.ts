import { createHmac } from 'node:crypto'
import { noteDatabaseFailure } from '../../platform/db/availability.js'
import {
  blockedAddress,
  type HttpOutcome,
  type Outbound,
  type OutboundOptions,
  outboundPolicy,
  post,
} from '../../platform/net/outboundHttp.js'
import type { Sender } from '../../platform/outbox/outbox.js'
import { countDelivery } from '../../platform/process/counters.js'
import { log, logSecurity } from '../../platform/process/log.js'
import { inSpan } from '../../platform/process/tracing.js'
import { grouped } from '../../vocabulary/collections.js'
import { chatBody } from '../chatBody.js'
import {
  type Claimed,
  claimDeliveries,
  databasePort,
  finishBacklog,
  finishInterrupted,
  keepBodies,
  recorder,
  waitingSubscriptions,
} from '../deliveryQueries.js'
import { type DeliverySlots, deliverySlots, type Limits, type Receiver, type Slot } from './deliverySlots.js'

/**
 * Receivers with waiting deliveries, round robin: a receiver that got a slot goes to the end of the
 * queue.
 */
export function fairQueue(pool: DeliverySlots) {
  const queue = new Map<number, Receiver>()

  /** One slot for each queued receiver with room, in order of the queue. */
  function oneRound(): Slot[] {
    const slots: Slot[] = []
    for (const receiver of [...queue.values()]) {
      const slot = pool.take(receiver)
      if (!slot) continue
      slots.push(slot)
      queue.delete(receiver.subscriptionId)
      queue.set(receiver.subscriptionId, receiver)
    }
    return slots
  }

  return {
    /** Puts a receiver at the end of the queue, unless it is queued. */
    add(receiver: Receiver): void {
      if (!queue.has(receiver.subscriptionId)) queue.set(receiver.subscriptionId, receiver)
    },
    remove: (subscriptionId: number): void => void queue.delete(subscriptionId),
    clear: (): void => queue.clear(),

    /** Slots for all deliveries that may start now. */
    next(): Slot[] {
      const slots: Slot[] = []
      for (let round = oneRound(); round.length > 0; round = oneRound()) slots.push(...round)
      return slots
    },
  }
}

export type WebhookOptions = OutboundOptions & {
  limits?: Limits
  /** Milliseconds after which a delivery counts as late. */
  lateAfter?: number
  /** Seconds after which a claimed, unfinished delivery is given up as interrupted. */
  interruptedAfter?: number
  /**
   * `kept`: deliveries that may wait per subscription; older ones are given up after waiting
   * `seconds`.
   */
  backlog?: { kept: number; seconds: number }
}

const defaults = {
  // A receiver that lets each of 100 reports wait 5 seconds has the last after two minutes.
  limits: {
    quick: { all: 32, host: 8 },
    slow: { all: 128, host: 8 },
    perSubscription: 8,
    perSlow: 4,
    total: 256,
  },
  lateAfter: 250,
  interruptedAfter: 30,
  backlog: { kept: 1_000, seconds: 60 },
}

/** Milliseconds between clean-ups of interrupted deliveries and long backlogs. */
const cleanUpEvery = 4_000
/**
 * After polling, rest for 4 × the poll's own time, at most 200 ms: many commits must not cause many
 * polls.
 */
const [restAfterPoll, longestRest] = [4, 200]

/**
 * Sends webhook deliveries, each at most once ever, in any number of processes (spec §6, decision
 * 4.8). Claimed deliveries start at once, so stopping waits for one delivery's time at most.
 */
export function webhookSender(options: WebhookOptions = {}): Sender {
  const { limits, lateAfter, interruptedAfter, backlog, ...outbound } = { ...defaults, ...options }
  const slotQueue = deliverySlots(limits)
  const waiting = fairQueue(slotQueue)
  /** Receivers whose next deliveries wait for the outcome of one that is under way. */
  const inOrder = new Map<number, Receiver>()
  const records = recorder(() => {
    for (const receiver of inOrder.values()) waiting.add(receiver)
    inOrder.clear()
    wake()
  })
  let running: Promise<void> | null = null
  let asked = false
  let stopped = false
  let cleanedUpAt = -Infinity
  let nextPollAt = -Infinity
  let wake = () => {}

  async function run(): Promise<void> {
    try {
      while ((await step()) || (asked && !stopped)) {}
    } finally {
      running = null
    }
  }

  /** Does what can be done now, or waits; false when nothing is left. */
  async function step(): Promise<boolean> {
    const mayPoll = () => asked && !stopped
    if (mayPoll() && performance.now() >= nextPollAt) await unlessAway(poll)
    const slots = stopped ? [] : waiting.next()
    if (slots.length > 0) await unlessAway(() => send(slots))
    else if (slotQueue.underWay() > 0 || !records.isIdle() || mayPoll()) await somethingToDo(mayPoll())
    else return false
    return true
  }

  /** Waits for a slot to change, a result to be written, a wake, or the next poll. */
  async function somethingToDo(orPoll: boolean): Promise<void> {
    const woken = new Promise<void>((resolve) => (wake = resolve))
    const timer = orPoll ? setTimeout(wake, Math.max(0, nextPollAt - performance.now())) : undefined
    await woken
    clearTimeout(timer)
  }

  /** When the database is away, a later poll finds the rows again. */
  async function unlessAway(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      waiting.clear()
      if (!noteDatabaseFailure(error)) log.error({ error }, 'webhooks')
    })
  }

  async function poll(): Promise<void> {
    asked = false
    outbound.policy ??= outboundPolicy(await databasePort())
    if (performance.now() - cleanedUpAt > cleanUpEvery) await unlessAway(cleanUp)
    const began = performance.now()
    for (const { subscriptionId, url, lastStatus } of await waitingSubscriptions()) {
      if (lastStatus === 'failed: timeout') slotQueue.markSlow(subscriptionId)
      waiting.add({ subscriptionId, host: hostOf(url) })
    }
    const now = performance.now()
    nextPollAt = now + Math.min(restAfterPoll * (now - began), longestRest)
  }

  async function cleanUp(): Promise<void> {
    cleanedUpAt = performance.now()
    await finishInterrupted(interruptedAfter)
    await finishBacklog(backlog.kept, backlog.seconds)
  }

  /**
   * Claims a delivery per slot and starts it. Fewer rows than slots: nothing more waits for that
   * receiver, or only for what is under way there.
   */
  async function send(slots: Slot[]): Promise<void> {
    const bySubscription = grouped(slots, ({ subscriptionId }) => subscriptionId)
    const wanted = new Map([...bySubscription].map(([id, { length }]) => [id, length]))
    const { claimed, inactive } = await claimDeliveries(wanted).catch((error: unknown) => {
      for (const slot of slots) slotQueue.unused(slot)
      throw error
    })
    await shapeForChats(claimed)
    for (const delivery of claimed) begin(delivery, bySubscription.get(delivery.subscriptionId)!.pop()!)
    for (const id of inactive) slotQueue.unused(bySubscription.get(id)!.pop()!)
    for (const [id, left] of bySubscription) {
      for (const slot of left) slotQueue.unused(slot)
      if (left.length === 0) continue
      waiting.remove(id)
      if (slotQueue.isBusy(id)) inOrder.set(id, left[0]!)
    }
  }

  /**
   * Gives deliveries to chats the bodies they are sent with, and stores those. They are sent even
   * when that fails.
   */
  async function shapeForChats(claimed: Claimed[]): Promise<void> {
    const toChats = claimed.filter(({ format }) => format !== 'caretaker')
    if (toChats.length === 0) return
    for (const delivery of toChats) delivery.body = chatBody(delivery)
    await unlessAway(() => keepBodies(toChats))
  }

  function begin(delivery: Claimed, slot: Slot): void {
    const late = setTimeout(() => {
      slotQueue.late(slot)
      wake()
    }, lateAfter)
    void traced(delivery, () => post(signed(delivery), outbound)).then((outcome) => {
      clearTimeout(late)
      if (outcome.status === blockedAddress)
        logSecurity('webhook_address.refused', {
          subscriptionId: delivery.subscriptionId,
          host: hostOf(delivery.url),
        })
      slotQueue.leave(slot, outcome.status.startsWith('failed: '))
      note(delivery, outcome)
      records.add({ id: delivery.id, ...outcome })
      wake()
    })
  }

  return {
    name: 'webhooks',
    drain() {
      asked = true
      wake()
      running ??= run()
      return running
    },
    stop() {
      stopped = true
      records.hurry()
      wake()
    },
  }
}

/**
 * One line for each delivery, and of the request that caused it; the body and the address's secret
 * parts stay out.
 */
function note(
  { id, event, eventId, subscriptionId, requestId }: Claimed,
  { status, durationMs }: HttpOutcome,
): void {
  const arrived = status.startsWith('2')
  countDelivery('webhook', arrived ? 'sent' : 'failed')
  const facts = { requestId, kind: 'webhook', event, id, eventId, subscriptionId, status, ms: durationMs }
  log.info({ ...facts, result: arrived ? 'sent' : 'failed' }, 'delivery')
}

/**
 * A span of its own trace, which names the request that caused it; the receiver's address stays
 * out.
 */
function traced(delivery: Claimed, send: () => Promise<HttpOutcome>): Promise<HttpOutcome> {
  const { id, event, subscriptionId, requestId } = delivery
  const attributes = {
    'http.request.method': 'POST',
    'caretaker.delivery.id': id,
    'caretaker.webhook_subscription.id': subscriptionId,
    'caretaker.event': event,
    'caretaker.request_id': requestId ?? undefined,
  }
  return inSpan({ name: 'send webhook', kind: 'client', attributes }, send, ({ status }) => ({
    attributes: { 'http.response.status_code': /^\d+$/.test(status) ? Number(status) : undefined },
    error: status.startsWith('2') ? undefined : status,
  }))
}

/**
 * The HTTP request of a delivery: its exact body, signed with the current secret (spec §6 rule 2,
 * decision 6.11).
 */
function signed({ url, secret, eventId, claimedAt, body: text }: Claimed): Outbound {
  const body = Buffer.from(text)
  return {
    url,
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Caretaker',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(claimedAt.getTime() / 1000)),
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  }
}

/** The host with its port; an invalid address is refused when its delivery starts. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
