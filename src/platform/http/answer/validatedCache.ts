/**
 * A computed view and what tells whether it still holds. Times are epoch ms of the database's
 * clock.
 */
export type Computed<V> = { view: V; stamp: string; now: number; validUntil: number }

/** How the view is computed, and how its stamp is checked. */
export type CacheSource<V> = {
  compute: () => Promise<Computed<V>>
  check: (stamp: string) => Promise<{ exact: boolean; stamp: string; now: number }>
  /** Counts how often the view held, and how often it was computed anew. */
  counted?: { hit: number; recomputed: number }
}

/** A view as it was last found current, and how long ago that was, in ms. */
export type LastKnown<V> = { view: V; age: number }

/**
 * Caches one view; each caller of `current` gets it after a check that began after the call, so
 * every process sees every acknowledged change. Waiting callers share one check and, when needed,
 * one computation. `lastKnown` asks nobody.
 */
export function validatedCache<V>({ compute, check, counted = { hit: 0, recomputed: 0 } }: CacheSource<V>): {
  current: () => Promise<V>
  lastKnown: () => LastKnown<V> | null
} {
  let kept: Computed<V> | null = null
  /** By the clock that never steps. */
  let confirmedAt = 0
  let running: Promise<V> | null = null
  let next: Promise<V> | null = null

  const refresh = async (): Promise<V> => {
    const held = kept
    if (held) {
      const answer = await check(held.stamp)
      if (answer.exact && answer.now < held.validUntil) {
        held.stamp = answer.stamp
        counted.hit += 1
        confirmedAt = performance.now()
        return held.view
      }
    }
    kept = await compute()
    counted.recomputed += 1
    confirmedAt = performance.now()
    return kept.view
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
    // more; but when it fails, fail with it, so that nobody waits twice for a silent database.
    next = running
      .finally(() => {
        next = null
      })
      .then(start)
    return next
  }

  return { current, lastKnown: () => kept && { view: kept.view, age: performance.now() - confirmedAt } }
}
