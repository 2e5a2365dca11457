import { readCommandLine } from '../../src/platform/process/commandLine.js'

/**
 * Benches open databases of their own; the configuration only has to be
 * readable for them to be loaded.
 */
process.env.DATABASE_URL ??= 'postgres://127.0.0.1/none'
process.env.SESSION_SECRET ??= 'bench-session-secret'

/** A bench prints its ratios with their goals and says whether it met them. */
const benches: Record<string, () => Promise<() => Promise<boolean>>> = {
  status: async () => (await import('./status.js')).status,
  report: async () => (await import('./report.js')).report,
  webhooks: async () => (await import('./webhooks.js')).webhooks,
  lists: async () => (await import('./lists.js')).staffLists,
  search: async () => (await import('./search.js')).searching,
  export: async () => (await import('./export.js')).exportCsv,
  uploads: async () => (await import('./uploads.js')).uploads,
  sweep: async () => (await import('./sweep.js')).sweep,
  buildings: async () => (await import('./buildings.js')).buildings,
  samples: async () => (await import('./samples.js')).samples,
  emails: async () => (await import('./emails.js')).emails,
  hanging: async () => (await import('./hanging.js')).hanging,
}

/** A quarter of an hour and gigabytes: only when it is asked for by name. */
const large = ['buildings', 'emails']

const usage = `npm run bench [-- NAME …]
  Measures, and prints each figure with its goal. Ends with 1 when a goal is missed.
  Without a name, all but the large ones: ${large.join(', ')}.
  Names: ${Object.keys(benches).join(', ')}`

const { positionals: wanted } = readCommandLine({
  usage,
  most: Number.POSITIVE_INFINITY,
  problemWith: ({ positionals }) => {
    const unknown = positionals.find((name) => !Object.hasOwn(benches, name))
    return unknown === undefined ? null : `There is no bench ${unknown}.`
  },
})
const { closeDatabase } = await import('../../src/platform/db/pools.js')
const { pinLoad } = await import('./processes.js')
if (!wanted.some((name) => large.includes(name))) pinLoad()
const missed: string[] = []
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 ? !wanted.includes(name) : large.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  const run = await load()
  if (!(await run())) missed.push(name)
  await closeDatabase()
}
process.stdout.write(missed.length > 0 ? `\nbelow their goals: ${missed.join(', ')}\n` : '\nall goals met\n')
process.exit(missed.length > 0 ? 1 : 0)
