import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { withoutParts } from '../host/programs.js'

/** What other files of the process would notice: replaced modules, an environment set before they load, its memory. */
const needsProcess = /\bvi\.(mock|doMock|hoisted)\(|\bmemoryUsage\b|\bSocket\.prototype\b/

/** Files without a test that the quick run has stand in a folder `whole`: an empty file counts as a failure. */
const isAsked = (file: string) => process.env.CARETAKER_TEST === 'all' || !file.includes('/whole/')

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => path.posix.join('test', file.split(path.sep).join('/')))
  .filter((file) => file.endsWith('.test.ts') && isAsked(file))

const alone = (file: string) => needsProcess.test(readFileSync(file, 'utf8'))

/** Test files that run one after another in the same few processes: packages and our modules are loaded once. */
export const together = () => files.filter((file) => !alone(file))

/** Test files with a process of their own. */
export const apart = () => files.filter(alone)

/** The specification's tests but those of what is sent, which look into the process that sends it. */
const contract = files.filter((file) => /\/contract[^6/]\w+\.test\.ts$/.test(file))

/** Test files that the whole run puts to two webs behind nginx and PgBouncer, too, where these are installed. */
export const throughHost = () => (process.env.CARETAKER_TEST === 'all' && !withoutParts ? contract : [])
