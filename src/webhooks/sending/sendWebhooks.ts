import { noteDatabaseFailure } from '../../platform/db/availability.js'
import { databasePort } from '../../platform/db/databasePort.js'
import type { OutboundOptions } from '../../platform/net/outboundHttp.js'
import type { Sender } from '../../platform/outbox/outbox.js'
import { log } from '../../platform/process/log.js'
import { deliveryTimeout, webhookPolicy } from '../webhookPolicy.js'
import {
  type ClaimedDelivery,
  claimDeliveries,
  finishBacklog,
  finishInterrupted,
  waitingSubscriptions,
} from './deliveryQueries.js'
import { OutcomeRecorder } from './outcomeRecorder.js'
import { sendDelivery } from './sendDelivery.js'

export type WebhookOptions = Partial<OutboundOptions> & {
  /** Seconds after which a claimed, unfinished delivery is given up as interrupted. */
  interruptedAfter?: number
  /**
   * `kept`: deliveries that may wait per subscription; older ones are given up after waiting
   * `seconds`.
   */
  backlog?: { kept: number; seconds: number }
}

/**
 * Most deliveries of one subscription under way in this process. A receiver that lets each of 100
 * reports wait 5 seconds has the last after about a minute.
 */
const mostUnderWay = 8
/**
 * Deliveries under way in all, beyond which each subscription has only its own places: a hundred
 * receivers that hang must not cost this process eight hundred connections.
 */
const mostShared = 64
const ownPlaces = 2

/** Milliseconds between two searches for deliveries: many commits must not cause as many. */
const betweenPolls = 50
/** Milliseconds between clean-ups of interrupted deliveries and long backlogs. */
const betweenCleanUps = 4_000

/**
 * Sends webhook deliveries, each at most once ever, in any number of processes (spec §6, decision
 * 4.8). Each subscription has places of its own at all times, so a receiver that hangs delays no
 * other. Claimed deliveries start at once, so stopping waits for one delivery's time at most.
 */
export function webhookSender(options: WebhookOptions = {}): Sender {
  const sender = new WebhookSender(options)
  return { name: 'webhooks', drain: () => sender.drain(), stop: () => sender.stop() }
}

class WebhookSender {
  readonly #outbound: Omit<OutboundOptions, 'policy'>
  /** Known from the first poll on, which comes before any delivery. */
  #policy: OutboundOptions['policy'] | undefined
  readonly #interruptedAfter: number
  readonly #backlog: { kept: number; seconds: number }
  readonly #outcomes = new OutcomeRecorder((batch) => {
    // Of one incident or asset the next may go, which waited for the outcome of the one before.
    for (const { subscriptionId } of batch) this.#due.add(subscriptionId)
    this.#wake()
  })
  /** Number of deliveries under way by subscription. */
  readonly #underWay = new Map<number, number>()
  /** Subscriptions that may have deliveries to claim. */
  readonly #due = new Set<number>()
  #running: Promise<void> | null = null
  #pollRequested = false
  #isStopped = false
  #nextPollAt = -Infinity
  #nextCleanUpAt = -Infinity
  #wake = () => {}

  constructor({
    interruptedAfter = 30,
    backlog = { kept: 1_000, seconds: 60 },
    deadline = deliveryTimeout,
    policy,
    ...outbound
  }: WebhookOptions) {
    this.#outbound = { deadline, ...outbound }
    this.#policy = policy
    this.#interruptedAfter = interruptedAfter
    this.#backlog = backlog
  }

  drain(): Promise<void> {
    this.#pollRequested = true
    this.#wake()
    this.#running ??= this.#run()
    return this.#running
  }

  stop(): void {
    this.#isStopped = true
    this.#outcomes.hurry()
    this.#wake()
  }

  /** Ends when nothing is due, under way or unwritten, and no further poll was requested. */
  async #run(): Promise<void> {
    try {
      let hasMore = true
      while (hasMore) {
        const hasStepped = await this.#step()
        // A poll may have been requested since the step ended.
        hasMore = hasStepped || this.#mayPoll()
      }
    } finally {
      this.#running = null
    }
  }

  /**
   * Does one thing, of four in this order: it polls for subscriptions with deliveries, claims and
   * starts deliveries, waits until it may poll again, or waits for a delivery under way or its
   * outcome. False when nothing is left to do.
   */
  async #step(): Promise<boolean> {
    const mayPoll = this.#mayPoll()
    const wanted = this.#wanted()
    if (mayPoll && performance.now() >= this.#nextPollAt) await this.#ignoringOutage(() => this.#poll())
    else if (wanted.size > 0) await this.#ignoringOutage(() => this.#send(wanted))
    else if (mayPoll) await this.#waitForChange(this.#nextPollAt)
    else if (this.#underWay.size > 0 || !this.#outcomes.isIdle()) await this.#waitForChange()
    else return false
    return true
  }

  #mayPoll(): boolean {
    return this.#pollRequested && !this.#isStopped
  }

  /** How many deliveries each subscription that is due may start now. */
  #wanted(): Map<number, number> {
    const wanted = new Map<number, number>()
    if (this.#isStopped) return wanted
    let shared = mostShared
    for (const count of this.#underWay.values()) shared -= count
    for (const id of this.#due) {
      const underWay = this.#underWay.get(id) ?? 0
      const places = Math.min(mostUnderWay - underWay, Math.max(shared, ownPlaces - underWay))
      if (places <= 0) continue
      wanted.set(id, places)
      shared -= places
    }
    return wanted
  }

  /** Waits for an outcome, its writing, a new request or the end; `until` is the latest. */
  async #waitForChange(until = Infinity): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const isTimed = until < Infinity
    const timer = isTimed ? setTimeout(() => this.#wake(), until - performance.now()) : undefined
    await woken
    clearTimeout(timer)
  }

  /** When the database is away, a later poll finds the deliveries again. */
  async #ignoringOutage(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      this.#due.clear()
      logFailure(error)
    })
  }

  async #poll(): Promise<void> {
    this.#pollRequested = false
    this.#policy ??= webhookPolicy(await databasePort())
    if (performance.now() >= this.#nextCleanUpAt) await this.#cleanUp().catch(logFailure)
    for (const id of await waitingSubscriptions()) this.#due.add(id)
    this.#nextPollAt = performance.now() + betweenPolls
  }

  async #cleanUp(): Promise<void> {
    this.#nextCleanUpAt = performance.now() + betweenCleanUps
    await finishInterrupted(this.#interruptedAfter)
    await finishBacklog(this.#backlog.kept, this.#backlog.seconds)
  }

  /** Claims so many deliveries at most per subscription, and starts them. */
  async #send(wanted: ReadonlyMap<number, number>): Promise<void> {
    // Before the statement: what an outcome makes due meanwhile stays due.
    for (const id of wanted.keys()) this.#due.delete(id)
    const { claimed, inactive } = await claimDeliveries(wanted)
    const claims = new Map<number, number>()
    for (const id of [...claimed.map(({ subscriptionId }) => subscriptionId), ...inactive])
      claims.set(id, (claims.get(id) ?? 0) + 1)
    // Fewer than wanted: nothing more waits there, or only for what is under way.
    for (const [id, places] of wanted) if (claims.get(id) === places) this.#due.add(id)
    for (const delivery of claimed) void this.#deliver(delivery)
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { subscriptionId } = delivery
    this.#underWay.set(subscriptionId, (this.#underWay.get(subscriptionId) ?? 0) + 1)
    const outcome = await sendDelivery(delivery, { ...this.#outbound, policy: this.#policy! })
    const left = this.#underWay.get(subscriptionId)! - 1
    if (left > 0) this.#underWay.set(subscriptionId, left)
    else this.#underWay.delete(subscriptionId)
    this.#outcomes.add(outcome)
    this.#wake()
  }
}

function logFailure(error: unknown): void {
  if (!noteDatabaseFailure(error)) log.error({ error }, 'webhooks')
}
