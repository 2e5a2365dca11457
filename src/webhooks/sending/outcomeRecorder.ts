import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../platform/process/log.js'
import { finishDeliveries, type WebhookOutcome } from './deliveryQueries.js'

/**
 * Milliseconds: how long to retry while the database is away, and the pause between tries. Results
 * lost then count as interrupted.
 */
const patience = 15_000
const pause = 500
/** Milliseconds to retry when the process is stopping. */
const lastPatience = 2_000

/** Writes outcomes in batches: while one batch is written, the next gathers. */
export class OutcomeRecorder {
  readonly #onWritten: (batch: readonly WebhookOutcome[]) => void
  #gathered: WebhookOutcome[] = []
  /** Outcomes that are gathered or being written. */
  #unwritten = 0
  #isStopping = false

  /** `onWritten` is called after each batch, also when it was lost. */
  constructor(onWritten: (batch: readonly WebhookOutcome[]) => void) {
    this.#onWritten = onWritten
  }

  add(outcome: WebhookOutcome): void {
    this.#gathered.push(outcome)
    this.#unwritten += 1
    if (this.#unwritten === 1) void this.#write()
  }

  isIdle(): boolean {
    return this.#unwritten === 0
  }

  /** The process is stopping: shortens the wait for the database. */
  hurry(): void {
    this.#isStopping = true
  }

  async #write(): Promise<void> {
    while (this.#unwritten > 0) {
      const batch = this.#gathered
      this.#gathered = []
      await this.#writeBatch(batch)
      this.#unwritten -= batch.length
      this.#onWritten(batch)
    }
  }

  async #writeBatch(batch: readonly WebhookOutcome[]): Promise<void> {
    for (const began = performance.now(); ; await sleep(pause)) {
      try {
        return await finishDeliveries(batch)
      } catch (error) {
        const mayTryAgain = performance.now() - began < (this.#isStopping ? lastPatience : patience)
        if (mayTryAgain) continue
        return log.error({ error, deliveries: batch.length }, 'webhook outcomes lost')
      }
    }
  }
}
