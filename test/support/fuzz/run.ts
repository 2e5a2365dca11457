import { runTestFile } from '../suite/vitestRun.js'

/** `npm run fuzz -- --requests N --seed S`: as `npm test` does it, with as many requests as wanted, and a line of sums. */
runTestFile('test/fuzz/fuzz.test.ts', { requests: '200000', seed: 'new' }, ({ requests, seed }) => ({
  FUZZ_REQUESTS: requests,
  TEST_SEED: seed,
}))
