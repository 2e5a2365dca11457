/** Milliseconds above which a test of the quick run must have a reason here. */
export const slowAfter = 2_000

const browser = 'a person’s whole way through pages in a real browser'
const process = 'a whole process is started, used and stopped'

/**
 * The tests of `npm test` that take longer on a quiet machine, by file and name, and why they do.
 */
export const slowTests: Record<string, string> = {
  'test/inbound/characterSets.test.ts > every character set that email programs name > is decoded in every place as the Encoding Standard says, on Node.js present':
    'a Node.js of its own decodes two thousand texts',
  'test/app/server.test.ts > npm start with nothing set > makes a living building, keeps sessions over restarts, and survives kill -9':
    'a first start makes a database cluster and a demo building, and a second one follows',
  'test/operations/backup/roundTrip.test.ts > a backup, restored > has every row of every table as it was, every photo, and the schema of its version':
    'a restore runs every migration',
  'test/operations/backup/roundTrip.test.ts > a restore > refuses a database with a building, with tables of others, or while another restore works':
    'three databases are made and looked at before and after',
  'test/platform/db/lastKnown.test.ts > guests who ask for the status > get what was last known with no second wait for the database: hang':
    'the product waits for its database, whose clock is in the driver',
  'test/platform/db/awayAfterCommit.test.ts > a database that goes away when it has stored a write > makes nobody hear that nothing was stored, whatever kind of write it was':
    'twelve kinds of write, each cut off and repeated',
  'test/tools/fuzz.test.ts > requests that nobody means > are answered, 60 of them, without a fault inside, a leak or a trace where they are refused':
    'as many requests as it takes to meet the usual faults',
  'test/host/installed.test.ts > a command of operators > migrate works in an image without the compiler':
    'an image’s folder is made and a command run in it',
  'test/jobs/jobs.test.ts > from the command line > the sweep says what it escalated, as the system': process,
  'test/jobs/worker.test.ts > a worker > without a schedule says so, answers monitors with few connections, and lives until it is told to stop':
    process,
  'test/app/production.test.ts > production > does not start, nor runs a job, without https: {}': process,
  'test/platform/process/tracing.test.ts > the traces > follow a request to its statements and to what is sent because of it, and tell nothing of people':
    process,
  'test/inbound/hostile/hostileEmail.test.ts > a large email > arrives whole, compressed or of unknown length':
    'three emails of three megabytes',
  'test/browser/axe.test.ts > every page, for everybody who sees it > is so in Spanish, where what is seen and what is heard are other words':
    'axe looks at six pages twice',
  'test/every/links.test.ts > every link on a page for resident leads somewhere':
    'every page is opened that a resident can find',
  'test/every/links.test.ts > every link on a page for manager leads somewhere':
    'every page is opened that a manager can find',
  'test/every/links.test.ts > every button on a page for manager does something':
    'a button of each kind is pressed, and what it leads to is opened',
  'test/browser/counts.test.ts > what a page says of itself > is how many reports are selected on the tab new, however they were selected':
    browser,
  'test/browser/counts.test.ts > what a page says of itself > is how many reports each tab of the desk has':
    browser,
  'test/browser/pseudo.test.ts > a language that is longer and reads from right to left > leaves no English of ours on any page':
    'every sentence of the catalogue is looked for on every page',
  'test/browser/journey.test.ts > a resident reports a fault with a photo, once, and staff fix it (scripts: true)':
    browser,
  'test/browser/worker.test.ts > a browser that loses its connection > shows the last known status and the report form, without names, and sends the report once':
    browser,
  'test/jobs/printing.test.ts > a command prints its result alone, and its whole log on standard error':
    process,
  'test/operations/backup/commands.test.ts > from the command line > says in a sentence what is wrong':
    process,
}
