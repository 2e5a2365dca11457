import { runTestFile } from '../suite/vitestRun.js'

/** `npm run torture -- --kills N --minutes M --seed S`: as the whole test run does a slice of it, for as long as wanted. */
const usual = { kills: '50', minutes: '25', seed: 'new' }
runTestFile('test/faults/torture.test.ts', usual, ({ kills, minutes, seed }) => ({
  CARETAKER_TEST: 'all',
  TORTURE_KILLS: kills,
  TORTURE_MINUTES: minutes,
  TEST_SEED: seed,
}))
