import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../../platform/photos/store.js'

/** Milliseconds before each further try: a bad second of the store must not end work of hours. */
const pauses = [2_000, 5_000, 15_000]

/**
 * Repeats `act`, which must bear being repeated, while the photo store is away. Throws every other
 * error at once, as when the store refuses for good, and StoreUnavailable after the last try.
 */
export async function retryWhileStoreIsAway<T>(act: () => Promise<T>, waits = pauses): Promise<T> {
  for (const wait of waits)
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error.refusal !== null) throw error
      await sleep(wait)
    }
  return act()
}
