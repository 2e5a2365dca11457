type CheckResult = 'ok' | 'failed'

/**
 * Makes a check cheap for any number of callers: calls while it runs, and for `age` ms after it
 * ended, share its result; a failure for `failedAge` ms. Never throws.
 */
export function shareCheck(
  age: number,
  check: () => Promise<unknown>,
  failedAge = age,
): () => Promise<CheckResult> {
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
      .then((result) => {
        goodUntil = performance.now() + (result === 'ok' ? age : failedAge)
        return result
      })
    return latest
  }
}
