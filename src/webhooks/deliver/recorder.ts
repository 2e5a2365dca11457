import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../platform/ops/log.js'
import { type Finished, finishDeliveries } from '../webhookDelivery.js'

/**
 * Milliseconds: how long to retry while the database is away, and the pause between tries. Results
 * lost then count as interrupted.
 */
const patience = 15_000
const pause = 500
/** Milliseconds to retry when the process is stopping. */
const lastPatience = 2_000

/**
 * Writes results in batches: while one batch is written, the next gathers. Calls `done` when it has
 * none left.
 */
export function recorder(done: () => void) {
  let results: Finished[] = []
  let busy = false
  let ending = false

  async function work(): Promise<void> {
    busy = true
    while (results.length > 0) {
      const batch = results
      results = []
      await record(batch)
    }
    busy = false
    done()
  }

  async function record(batch: Finished[]): Promise<void> {
    for (const began = performance.now(); ; await sleep(pause)) {
      try {
        return await finishDeliveries(batch)
      } catch (error) {
        if (performance.now() - began < (ending ? lastPatience : patience)) continue
        return log.error({ error, deliveries: batch.length }, 'webhook outcomes lost')
      }
    }
  }

  return {
    add(result: Finished): void {
      results.push(result)
      if (!busy) void work()
    },
    isIdle: () => !busy,
    /** The process is stopping: shortens the wait for the database. */
    hurry(): void {
      ending = true
    },
  }
}
