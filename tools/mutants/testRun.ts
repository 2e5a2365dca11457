import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

/** A test that failed: its file, and its name or why the file did not run. */
export type FailedTest = { file: string; name: string }

/** Milliseconds after which a test that waits for what never comes has failed. */
const testTimeout = 60_000
/** Milliseconds after which a run is ended: without its rule, a loop may go on for ever. */
const runTimeout = 20 * 60_000

type Report = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

/**
 * Runs these test files in a folder and resolves to the tests that failed; to null when the run did
 * not come to its end in time. `onStart` gets what ends the run.
 */
export async function runTests(
  folder: string,
  files: readonly string[],
  onStart: (end: () => void) => void,
): Promise<FailedTest[] | null> {
  const report = path.join(folder, 'mutants-report.json')
  rmSync(report, { force: true })
  const vitest = path.join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  const options = ['--config', 'test/vitest.config.ts', '--reporter=json', `--outputFile=${report}`]
  const child = spawn(
    process.execPath,
    [vitest, 'run', ...options, `--testTimeout=${testTimeout}`, '--no-cache', ...files],
    // A group of its own, so that whatever the tests have started can be ended with it.
    { cwd: folder, env: environment(), stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const end = () => endGroup(child.pid)
  onStart(end)
  const timer = setTimeout(end, runTimeout)
  const signal = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (_code, by) => resolve(by))
  })
  clearTimeout(timer)
  if (signal !== null) return null
  if (!existsSync(report)) throw new Error(`The tests did not run: ${errors.slice(-2_000)}`)
  return failuresIn(JSON.parse(readFileSync(report, 'utf8')) as Report, folder)
}

function failuresIn({ testResults }: Report, folder: string): FailedTest[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(folder, name).split(path.sep).join('/')
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && status === 'failed')
      return [{ file, name: `does not run: ${message.split('\n')[0]}` }]
    return failed.map(({ fullName }) => ({ file, name: fullName }))
  })
}

/** That of this process, without what a test run around it has set. */
function environment(): NodeJS.ProcessEnv {
  const ofOtherRuns = /^(?:VITEST|TEST_|CARETAKER_TEST|NODE_ENV|DATABASE_URL|DATA_DIR|LOG_LEVEL)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOtherRuns.test(name)))
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
