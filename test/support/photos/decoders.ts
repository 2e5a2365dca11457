import { childrenOf, toldOf } from '../suite/processes.js'

/** The processes that decode photos for this process, or for the one named: their pids; none where they cannot be seen. */
export function decodersOf(parent = process.pid): number[] {
  return childrenOf(parent).filter((pid) =>
    /decoder\/main\.js|faultyDecoder\.js/.test(toldOf(pid, 'cmdline')),
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
  return Number(/^VmHWM:\s+(\d+)/m.exec(toldOf(pid, 'status'))?.[1] ?? 0) / 1024
}
