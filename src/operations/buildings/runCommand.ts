import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { environmentWith } from '../../platform/process/config.js'

const script = (job: string) => fileURLToPath(new URL(`../../../jobs/${job}.js`, import.meta.url))

/**
 * Runs a command of operators with a building's settings, in a process of its own, which reads them
 * as it does on its own. Returns the object it prints. Throws with what it says went wrong.
 */
export async function runForResult(
  job: string,
  settings: Record<string, string>,
  args: readonly string[] = [],
): Promise<Record<string, unknown>> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script(job), ...args], {
      env: environmentWith(settings),
    })
    return JSON.parse(stdout.trim().split('\n').at(-1)!)
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(stderr.trim() || message.split('\n')[0], { cause: error })
  }
}

/**
 * Runs a command for a building with this process's input and output. Resolves to the exit code.
 */
export async function runCommand(
  job: string,
  settings: Record<string, string>,
  args: readonly string[],
): Promise<number> {
  const child = spawn(process.execPath, [script(job), ...args], {
    env: environmentWith(settings),
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
