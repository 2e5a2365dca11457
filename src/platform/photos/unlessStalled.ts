import { PassThrough, pipeline, type Readable } from 'node:stream'
import { StorageUnavailable } from './storage.js'

/**
 * The same bytes, taken no faster than they are read; destroying it destroys the source. Fails when the source
 * ends early, or gives nothing for `ms` milliseconds while a reader waits.
 */
export function unlessStalled(source: Readable, ms: number): Readable {
  let moved = performance.now()
  const passed = new PassThrough()
  source.on('data', () => {
    moved = performance.now()
  })
  const isStalled = () => {
    // A slow reader is somebody else's matter.
    if (passed.writableNeedDrain) moved = performance.now()
    return performance.now() - moved >= ms
  }
  let again: NodeJS.Immediate | undefined
  const look = () => {
    // Takes what came while this process was busy before it counts as stalled.
    if (isStalled()) again = setImmediate(() => isStalled() && cut(stalled()))
  }
  const stalled = () =>
    Object.assign(new Error('the store stopped half-way of an answer'), { code: 'ETIMEDOUT' })
  const cut = (cause: unknown) => passed.destroy(new StorageUnavailable({ cause }))
  source.once('error', cut)
  // Whoever reads it hears of it, and nobody may have begun to.
  passed.on('error', () => {})
  const looking = setInterval(look, ms / 4)
  looking.unref()
  pipeline(source, passed, (error) => {
    clearInterval(looking)
    clearImmediate(again)
    if (error) source.destroy()
  })
  return passed
}
