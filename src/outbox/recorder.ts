import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../log.js'
import { type Finished, finishDeliveries } from '../models/webhooks/webhookDelivery.js'

/** Milliseconds results are kept while the database is away, and between tries. What is lost then counts as interrupted. */
const patience = 15_000
const pause = 500
/** The same for a process that is told to end. */
const lastPatience = 2_000

/** Writes results down in batches: while one is on its way, the next gathers. Calls `done` whenever it has none left. */
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
    /** The process ends: no long waits for the database any more. */
    hurry(): void {
      ending = true
    },
  }
}
