import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const canPin = spawnSync('taskset', ['--version']).status === 0

/**
 * A server (`script` is its path from here) in a process of its own, on core 0 where that can be
 * said: the load comes from the other one.
 */
export async function startServer(
  script: string,
  env: Record<string, string>,
): Promise<{ port: number; pid: number; stop: () => Promise<void> }> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const [command, args] = canPin
    ? ['taskset', ['-c', '0', process.execPath, file]]
    : [process.execPath, [file]]
  const child = spawn(command, args as string[], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
  return { port, pid: child.pid!, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Keeps this process, the source of the load, off the servers' core. */
export function pinLoad(): void {
  if (canPin) spawnSync('taskset', ['-cp', '1', String(process.pid)])
}
