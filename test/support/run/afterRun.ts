import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

/**
 * Ends what a stopped test run leaves behind. Started with the run's folder; its input
 * ends with the run, however that ended. A run that came to its end has left nothing, and
 * this finds nothing to do.
 */
const folder = process.argv[2]!

process.stdin.resume().on('close', async () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const)
    for (let tries = 0; tries < 20 && processesOfRun().length > 0; tries += 1) {
      for (const pid of processesOfRun()) end(pid, signal)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})

/**
 * Each carries the folder in its command or in its environment, as TMPDIR. Empty
 * where there is no /proc.
 */
function processesOfRun(): number[] {
  return list('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => processText(pid, file).includes(folder)))
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function processText(pid: number, file: string): string {
  try {
    return readFileSync(path.join('/proc', String(pid), file), 'utf8')
  } catch {
    // It has ended, or is another user's.
    return ''
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
