import { runTestFile } from '../runTestFile.js'

const usage = `npm run fuzz [-- --requests N] [--seed S]
  Sends random requests to a building of its own, as npm test does, and prints a line of sums.
  N requests (200000), from the random seed S (a new one). Takes about a minute for 6,000 requests.`

runTestFile('test/tools/fuzz.test.ts', usage, { requests: '200000', seed: 'new' }, ({ requests, seed }) => ({
  FUZZ_REQUESTS: requests,
  TEST_SEED: seed,
}))
