import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Where the system does not show its processes as files (macOS), what they do cannot be seen. */
export const withoutProcesses = !existsSync('/proc/self/status')

/** A file of /proc; empty where it is gone, or the system has none. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The processes that decode photos for this process, or for the one named: their pids; none where they cannot be seen. */
export function decodersOf(parent = process.pid): number[] {
  return (withoutProcesses ? [] : readdirSync('/proc'))
    .map(Number)
    .filter((pid) => pid > 0 && /decoder\/main\.js|faultyDecoder\.js/.test(read(`/proc/${pid}/cmdline`)))
    .filter((pid) => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]) === parent)
}

/** Those of this process that an act began, and that it did not end again. */
export async function begunBy(act: () => Promise<unknown>): Promise<number[]> {
  const before = decodersOf()
  await act()
  return decodersOf().filter((pid) => !before.includes(pid))
}

/** Whether it runs, stopped or not; one that has ended and waits for its parent to hear of it does not. */
export function runs(pid: number): boolean {
  return /^State:\s+[^ZX\s]/m.test(read(`/proc/${pid}/status`))
}

/** The most memory a process has used so far, in MB. */
export function mostMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}
