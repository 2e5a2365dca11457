import { PassThrough, pipeline, type Readable } from 'node:stream'
import { timeoutError } from './s3Client.js'
import { StoreUnavailable } from './store.js'

/**
 * The same bytes, taken no faster than they are read; destroying it destroys the source. Fails when
 * the source ends early, or gives nothing for `ms` milliseconds while a reader waits.
 */
export function failWhenStalled(source: Readable, ms: number): Readable {
  let lastProgressAt = performance.now()
  const output = new PassThrough()
  source.on('data', () => {
    lastProgressAt = performance.now()
  })
  const isStalled = () => {
    // A slow reader is someone else's matter.
    if (output.writableNeedDrain) lastProgressAt = performance.now()
    return performance.now() - lastProgressAt >= ms
  }
  const abort = (cause: unknown) => output.destroy(new StoreUnavailable({ cause }))
  const abortIfStalled = () => {
    if (isStalled()) abort(timeoutError('the store stopped half-way of an answer'))
  }
  let recheck: NodeJS.Immediate | undefined
  const check = () => {
    // Takes what came while this process was busy before it counts as stalled.
    if (isStalled()) recheck = setImmediate(abortIfStalled)
  }
  const checking = setInterval(check, ms / 4)
  checking.unref()
  source.once('error', abort)
  // Whoever reads it hears of it, and no one may have started to.
  output.on('error', () => {})
  pipeline(source, output, (error) => {
    clearInterval(checking)
    clearImmediate(recheck)
    if (error) source.destroy()
  })
  return output
}
