import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { migrations as all } from '../../migrations/index.js'
import { closeDatabase, openDatabase } from '../../src/platform/db/database.js'
import { migrate } from '../../src/platform/db/migrate.js'
import { startEmbeddedPostgres } from '../../src/platform/postgres/embeddedPostgres.js'
import { fillAfter, firstVersion } from '../support/migrating/rows.js'
import { type Span, watchLocks } from '../support/migrating/sampler.js'
import { told, verdict } from './verdict.js'

/** Reports of the building that is migrated; it has twice as many entries of timelines, followers and audit entries. */
const incidents = Number(process.env.BENCH_INCIDENTS ?? 1_000_000)

/**
 * Every migration after the first version on a building that is old already: how long it holds a lock on a table of before
 * for which readers or writers wait, as another connection sees it, and how long one of its transactions writes rows.
 */
export async function migrations(): Promise<boolean> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'caretaker-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, settings: { max_wal_size: '4GB' } })
  openDatabase(server.ownerUrl, 4, { as: 'migrate' })
  const held: number[] = []
  const wrote: number[] = []
  const load: number[] = []
  try {
    for (const [n, { name }] of all.entries()) {
      const watch = n < firstVersion.length ? undefined : await watchLocks(server.ownerUrl)
      const began = performance.now()
      await migrate(all.slice(0, n + 1))
      const seconds = (performance.now() - began) / 1_000
      const spans = (await watch?.end()) ?? []
      await fillAfter(name, incidents)
      if (!watch) continue
      const [blocked, writing] = [longest(spans, false), longest(spans, true)]
      held.push(blocked?.ms ?? 0)
      wrote.push(writing?.ms ?? 0)
      load.push(loadavg()[0]!)
      say(`${name}: ${seconds.toFixed(1)} s; locks ${said(blocked)}; writes ${said(writing)}`)
    }
  } finally {
    await closeDatabase()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  // Who waits for a core holds what it has: on a busy machine that is longer than the work.
  told(`processes that wanted one of ${cpus().length} cores`, load)
  told('ms one transaction writes rows of a table, while only who changes the same rows waits', wrote)
  return verdict(
    `ms a lock is held that readers or writers wait for, at ${incidents} incidents`,
    held,
    { atMost: 200 },
    1,
  )
}

const longest = (spans: Span[], writes: boolean) =>
  spans.filter((span) => span.writes === writes).toSorted((a, b) => b.ms - a.ms)[0]

const said = (span?: Span) => (span ? `${span.table} ${span.ms.toFixed(0)} ms (${span.mode})` : 'none')

const say = (line: string) => void process.stdout.write(`  ${line}\n`)
