import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { eventually } from './eventually.js'

/** Where the system does not show its processes as files (macOS), what they do cannot be seen. */
export const withoutProcesses = !existsSync('/proc/self/status')

/**
 * What Linux says of a process in one of its files; empty where it is gone, or the system has none.
 */
export function stateOf(pid: number, file: 'status' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Whether it runs, stopped or not; one that has ended and waits for its
 * parent to hear of it does not.
 */
export function runs(pid: number): boolean {
  return /^State:\s+[^ZX\s]/m.test(stateOf(pid, 'status'))
}

/**
 * Waits until a process has ended: what tells of its end may be there before it, its
 * entry in the list after it.
 */
export function gone(pid: number): Promise<void> {
  return eventually(() => {
    if (runs(pid)) throw new Error(`process ${pid} still runs`)
  })
}

/** The processes this one started, as Linux lists them. */
export function childrenOf(parent: number): number[] {
  return (withoutProcesses ? [] : readdirSync('/proc'))
    .map(Number)
    .filter((pid) => pid > 0 && Number(/^PPid:\s+(\d+)/m.exec(stateOf(pid, 'status'))?.[1]) === parent)
}
