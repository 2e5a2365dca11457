import { readFileSync } from 'node:fs'

/**
 * Bytes of a process, of shared pages only its share: the sum over many processes of one program is
 * what the machine needs for them. 0 when the process has ended.
 */
export function proportionalBytes(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]
    return Number(kilobytes) * 1_024
  } catch {
    return 0
  }
}

/** Resident memory of a process in MB, as an operator sees it. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024
}

/**
 * Watches the resident memory of this process from now on. The returned function ends that, and
 * returns by how many MB it grew at the most.
 */
export function watchMemory(): () => number {
  const before = process.memoryUsage.rss()
  let most = before
  const measure = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(measure, 5)
  return () => {
    clearInterval(timer)
    measure()
    return (most - before) / 2 ** 20
  }
}
