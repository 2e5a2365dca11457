/** A view and what tells whether it still holds. Times: epoch ms by the database's clock. */
type Computed<V> = { view: V; stamp: string; now: number; validUntil: number }

/** How the view is computed, and how its stamp is checked. */
type CacheSource<V> = {
  compute: () => Promise<Computed<V>>
  check: (stamp: string) => Promise<{ exact: boolean; stamp: string; now: number }>
  /** Counts how often the view held, and how often it was computed again. */
  counted: { hit: number; recomputed: number }
}

/** A view as it was last found current, and how long ago that was, in ms. */
type LastKnown<V> = { view: V; age: number }

/**
 * Caches one view; each caller of `current` gets it after a check that began after the call, so
 * every process sees every acknowledged change. Waiting callers share one check and, when needed,
 * one computation. `lastKnown` asks no one.
 */
export function validatedCache<V>({ compute, check, counted }: CacheSource<V>): {
  current: () => Promise<V>
  lastKnown: () => LastKnown<V> | null
} {
  let entry: Computed<V> | null = null
  /** By the clock that never steps. */
  let confirmedAt = 0
  let running: Promise<V> | null = null
  let next: Promise<V> | null = null

  const refresh = async (): Promise<V> => {
    const previous = entry
    if (previous) {
      const answer = await check(previous.stamp)
      if (answer.exact && answer.now < previous.validUntil) {
        previous.stamp = answer.stamp
        counted.hit += 1
        confirmedAt = performance.now()
        return previous.view
      }
    }
    entry = await compute()
    counted.recomputed += 1
    confirmedAt = performance.now()
    return entry.view
  }

  const start = (): Promise<V> => {
    const started = refresh().finally(() => {
      if (running === started) running = null
    })
    running = started
    return started
  }

  const current = (): Promise<V> => {
    if (next) return next
    if (!running) return start()
    // The running check began before this call and may miss a change the caller knows: wait for one
    // more; but when it fails, fail with it, so that no one waits twice for a silent database.
    next = running
      .finally(() => {
        next = null
      })
      .then(start)
    return next
  }

  return { current, lastKnown: () => entry && { view: entry.view, age: performance.now() - confirmedAt } }
}
