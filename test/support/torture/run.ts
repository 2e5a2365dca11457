import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

/** `npm run torture -- --kills N --minutes M --seed S`: as the whole test run does a slice of it, for as long as wanted. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '25' },
    seed: { type: 'string' },
  },
})
for (const [name, value] of Object.entries(values))
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    process.stderr.write(`--${name} is a number from 1 to 999999999\n`)
    process.exit(2)
  }
const env = {
  ...process.env,
  CARETAKER_TEST: 'all',
  TORTURE_KILLS: values.kills,
  TORTURE_MINUTES: values.minutes,
  TEST_SEED: values.seed ?? 'new',
}
const run = ['vitest', 'run', '--config', 'test/vitest.config.ts', 'test/faults/torture.test.ts']
spawn('npx', run, { env, stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
