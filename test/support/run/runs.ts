import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { withoutParts } from '../host/programs.js'

/**
 * Which test files each run has. `npm test` is the usual run: every behaviour once.
 * CARETAKER_TEST=all (`npm run test:all`) adds the files in folders called `whole`, and whole
 * tables where the usual run takes a sample (extent.ts). CARETAKER_TEST=node24 is what `.ci/run`
 * runs on Node 24 besides (decision 9.27).
 */
const runs: Record<string, (file: string) => boolean> = {
  usual: (file) => !file.includes('/whole/'),
  all: () => true,
  node24: (file) =>
    isContract(file) || ['test/app/server.test.ts', 'test/browser/journey.test.ts'].includes(file),
}
const run = process.env.CARETAKER_TEST || 'usual'

/** The tests of the specification, section by section. */
const isContract = (file: string) => /\/contract\d\w+\.test\.ts$/.test(file)

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => path.posix.join('test', file.split(path.sep).join('/')))
  .filter((file) => file.endsWith('.test.ts') && runs[run]!(file))

/**
 * What other files of the process would notice: packages replaced for all who import them,
 * the memory of the process.
 */
const needsProcess = /\bvi\.(mock|doMock)\(|\bmemoryUsage\b|\bSocket\.prototype\b/
const alone = (file: string) => needsProcess.test(readFileSync(file, 'utf8'))

/**
 * Test files that run one after another in the same few processes: packages are loaded
 * once, our modules each time.
 */
export const together = () => files.filter((file) => !alone(file))

/** Test files with a process of their own. */
export const apart = () => files.filter(alone)

/**
 * Contract tests that are asked of two webs behind nginx and PgBouncer, too: not those
 * that look into the sender.
 */
export const throughHost = () =>
  run === 'all' && !withoutParts
    ? files.filter((file) => isContract(file) && !file.includes('contract6'))
    : []
