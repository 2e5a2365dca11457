import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

/**
 * Runs one test file with options of the command line, all of them numbers from 1 to 999999999; `usual`: their values
 * where they are not given. `envOf`: what the file is told by its environment.
 */
export function runTestFile<Name extends string>(
  file: string,
  usual: Record<Name, string>,
  envOf: (given: Record<Name, string>) => Record<string, string>,
): void {
  const options = Object.fromEntries(Object.keys(usual).map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ options })
  for (const [name, value] of Object.entries(values))
    if (!/^[1-9]\d{0,8}$/.test(String(value))) {
      process.stderr.write(`--${name} is a number from 1 to 999999999\n`)
      process.exit(2)
    }
  const env = { ...process.env, ...envOf({ ...usual, ...values }) }
  const run = ['vitest', 'run', '--config', 'test/vitest.config.ts', file]
  spawn('npx', run, { env, stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
}
