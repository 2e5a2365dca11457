import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

/** `npm run fuzz -- --requests N --seed S`: as `npm test` does it, with as many requests as wanted, and a line of sums. */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '200000' }, seed: { type: 'string' } },
})
for (const [name, value] of Object.entries(values))
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    process.stderr.write(`--${name} is a number from 1 to 999999999\n`)
    process.exit(2)
  }
const env = {
  ...process.env,
  FUZZ_REQUESTS: values.requests,
  TEST_SEED: values.seed ?? 'new',
}
const run = ['vitest', 'run', '--config', 'test/vitest.config.ts', 'test/fuzz/fuzz.test.ts']
spawn('npx', run, { env, stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
