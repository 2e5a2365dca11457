import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { withDeadline } from '../../../src/platform/net/deadline.js'

/** Ends as its signal says, as `fetch` does. */
const untilEnded = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

it('what hangs is ended by the deadline, with a TimeoutError', async () => {
  const stop = new AbortController()
  await expect(withDeadline(20, untilEnded, stop.signal)).rejects.toMatchObject({ name: 'TimeoutError' })
  await expect(withDeadline(20, untilEnded)).rejects.toMatchObject({ name: 'TimeoutError' })
})

it('what hangs is ended at once by the stop, also by an earlier one, and nothing listens afterwards', async () => {
  const stop = new AbortController()
  const hanging = withDeadline(60_000, untilEnded, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(hanging).rejects.toThrow('stopped')
  await expect(withDeadline(60_000, untilEnded, stop.signal)).rejects.toThrow('stopped')
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})
