/** What a read computed, with what tells later whether it still holds. Times are epoch ms of the database's clock. */
export type Computed<V> = { view: V; stamp: string; now: number; validUntil: number }

/** How a kept view is made, and how it is asked whether it is still exact. */
export type Source<V> = {
  compute: () => Promise<Computed<V>>
  check: (stamp: string) => Promise<{ exact: boolean; stamp: string; now: number }>
}

/**
 * Keeps one view and hands it out only when a check that began after the caller came says that it is exact: what any
 * process has acknowledged is in the very next read of every process. All who wait share one check, and one
 * computation when it is due, so the price does not grow with the number of readers.
 */
export function validatedCache<V>({ compute, check }: Source<V>): () => Promise<V> {
  let kept: Computed<V> | null = null
  let running: Promise<V> | null = null
  let next: Promise<V> | null = null

  const refresh = async (): Promise<V> => {
    const held = kept
    if (held) {
      const answer = await check(held.stamp)
      if (answer.exact && answer.now < held.validUntil) {
        held.stamp = answer.stamp
        return held.view
      }
    }
    kept = await compute()
    return kept.view
  }

  const start = (): Promise<V> => {
    const started = refresh().finally(() => {
      if (running === started) running = null
    })
    running = started
    return started
  }

  return () => {
    if (next) return next
    if (!running) return start()
    // The check under way began before this caller came, so it may miss what the caller knows: wait for one more.
    next = running
      .catch(() => {})
      .then(() => {
        next = null
        return start()
      })
    return next
  }
}
