import { readCommandLine } from '../../src/platform/process/commandLine.js'
import { benches, largeBenches } from './benches.js'

/**
 * Benches open databases of their own; the configuration only has to be readable for them to be
 * loaded.
 */
process.env.DATABASE_URL ??= 'postgres://127.0.0.1/none'
process.env.SESSION_SECRET ??= 'bench-session-secret'

const usage = `npm run bench [-- NAME …] [--tiny]
  Measures speed as ratios within one run, and prints each figure with its goal. Ends with 1 when a goal is missed.
  Without a name, all but the large ones: ${largeBenches.join(', ')}.
  Names: ${Object.keys(benches).join(', ')}.
  --tiny shows in seconds that a bench starts and ends: its figures say nothing, and no goal is held against them.
  Takes one to five minutes for each name, some 30 minutes for all; buildings and emails 15 minutes each.`

const { positionals: wanted, values } = readCommandLine({
  usage,
  options: { tiny: { type: 'boolean' } },
  most: Number.POSITIVE_INFINITY,
  problemWith: ({ positionals }) => {
    const unknown = positionals.find((name) => !Object.hasOwn(benches, name))
    return unknown === undefined ? null : `There is no bench ${unknown}.`
  },
})
// In the environment, so that the processes that a bench starts know it as well.
if (values.tiny) process.env.BENCH_SIZE = 'tiny'
const { closeDatabase } = await import('../../src/platform/db/pools.js')
const { pinLoad } = await import('./processes.js')
if (!wanted.some((name) => largeBenches.includes(name))) pinLoad()
const missed: string[] = []
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 ? !wanted.includes(name) : largeBenches.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  const run = await load()
  if (!(await run())) missed.push(name)
  await closeDatabase()
}
process.stdout.write(`\n${summary()}\n`)
process.exit(missed.length > 0 ? 1 : 0)

function summary(): string {
  if (values.tiny) return 'started and ended; no goal was held against these sizes'
  return missed.length > 0 ? `below their goals: ${missed.join(', ')}` : 'all goals met'
}
