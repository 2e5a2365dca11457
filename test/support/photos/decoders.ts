import { onTestFinished } from 'vitest'
import { stopDecoding, usualDecoder } from '../../../src/platform/photos/photoProcessor.js'
import { compiledFile } from '../compiled.js'
import { childrenOf, stateOf } from '../run/processes.js'

/** Decodes for the rest of a test as where the optional package for HEIC is not installed. */
export async function decodeWithoutLibheif(): Promise<void> {
  const usual = usualDecoder.script
  onTestFinished(async () => {
    usualDecoder.script = usual
    await stopDecoding()
  })
  usualDecoder.script = await compiledFile('test/support/photos/decoderWithoutLibheif.ts')
  await stopDecoding()
}

/**
 * The processes that decode photos for this process, or for the one named: their pids; none
 * where they cannot be seen.
 */
export function decodersOf(parent = process.pid): number[] {
  return childrenOf(parent).filter((pid) =>
    /decoder\/main\.js|faultyDecoder\.js/.test(stateOf(pid, 'cmdline')),
  )
}

/** Those of this process that an act began, and that it did not end again. */
export async function begunBy(act: () => Promise<unknown>): Promise<number[]> {
  const before = decodersOf()
  await act()
  return decodersOf().filter((pid) => !before.includes(pid))
}

/** The most memory a process has used so far, in MB. */
export function mostMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(stateOf(pid, 'status'))?.[1] ?? 0) / 1024
}
