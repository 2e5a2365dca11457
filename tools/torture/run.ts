import { runTestFile } from '../runTestFile.js'

const usage = `npm run torture [-- --kills N] [--minutes M] [--seed S]
  Kills the processes of a building of its own while people use it, and looks for what was lost or doubled.
  Takes about 12 minutes: it ends after N kills (50) or M minutes (25). S: the random seed (a new one).`

const usual = { kills: '50', minutes: '25', seed: 'new' }
runTestFile('test/tools/torture.test.ts', usage, usual, ({ kills, minutes, seed }) => ({
  CARETAKER_TEST: 'all',
  TORTURE_KILLS: kills,
  TORTURE_MINUTES: minutes,
  TEST_SEED: seed,
}))
