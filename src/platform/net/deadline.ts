/**
 * Gives `act` a signal that ends it `ms` milliseconds from now with a TimeoutError, or by `stop`.
 * Node.js collects the timer of `AbortSignal.any([AbortSignal.timeout(ms)])`, which then never
 * ends.
 */
export async function withDeadline<T>(
  ms: number,
  act: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const ending = new AbortController()
  const late = () => ending.abort(new DOMException(`no end within ${ms} ms`, 'TimeoutError'))
  const timer = setTimeout(late, ms).unref()
  const end = () => ending.abort(stop?.reason)
  stop?.addEventListener('abort', end)
  if (stop?.aborted) end()
  try {
    return await act(ending.signal)
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', end)
  }
}
