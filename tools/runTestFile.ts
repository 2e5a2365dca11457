import { spawn } from 'node:child_process'
import { readCommandLine } from '../src/platform/process/commandLine.js'

/**
 * Runs one test file with options of the command line, all of them numbers from 1 to 999999999;
 * `usual`: their values where the command line has none. `envOf`: the environment that hands them
 * to the file.
 */
export function runTestFile<Name extends string>(
  file: string,
  usage: string,
  usual: Record<Name, string>,
  envOf: (values: Record<Name, string>) => Record<string, string>,
): void {
  const options = Object.fromEntries(Object.keys(usual).map((name) => [name, { type: 'string' as const }]))
  const { values } = readCommandLine({
    usage,
    options,
    problemWith: ({ values }) => {
      const wrong = Object.entries(values).find(([, value]) => !/^[1-9]\d{0,8}$/.test(String(value)))
      return wrong ? `--${wrong[0]} is a number from 1 to 999999999` : null
    },
  })
  const env = { ...process.env, ...envOf({ ...usual, ...values }) }
  const run = ['vitest', 'run', '--config', 'test/vitest.config.ts', file]
  spawn('npx', run, { env, stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
}
