export type CheckResult = 'ok' | 'failed'

/**
 * A check that anybody may ask for and that costs little however many do: those who ask while it runs, and for `age` ms
 * after it ended, share its outcome. It never throws.
 */
export function checked(age: number, check: () => Promise<unknown>): () => Promise<CheckResult> {
  let latest: Promise<CheckResult> | null = null
  let goodUntil = 0
  return () => {
    if (latest && performance.now() < goodUntil) return latest
    goodUntil = Number.POSITIVE_INFINITY
    latest = Promise.resolve()
      .then(check)
      .then(
        () => 'ok' as const,
        () => 'failed' as const,
      )
      .finally(() => {
        goodUntil = performance.now() + age
      })
    return latest
  }
}
