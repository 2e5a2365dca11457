// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pauseSending, resumeSending } from '../src/notifications/pauseSending.js'
import { removeArchive } from '../src/operations/backup/archive.js'
import { rowsIn } from '../src/operations/backup/contents.js'
import { restoreBackup } from '../src/operations/backup/restoreBackup.js'
import { takeBackup } from '../src/operations/backup/takeBackup.js'
import { query } from '../src/platform/db/database.js'
import { migrateAs } from '../src/platform/db/migrations/migrate.js'
import { withDatabase } from '../src/platform/db/pools.js'
import { sendingPaused } from '../src/platform/outbox/sendingPaused.js'
import { photoStore, storeNamed } from '../src/platform/photos/configuredStore.js'
import { startEmbeddedPostgres } from '../src/platform/postgres/embeddedPostgres.js'
import { config } from '../src/platform/process/config.js'
import { systemActor } from '../src/vocabulary/people/actor.js'
import { printResult, withConfiguredDatabase } from './support/runJob.js'

/**
 * `npm run move`: the building of the private server under DATA_DIR goes on at DATABASE_URL and in
 * the configured photo store. The original stays there and sends nothing any more; at no moment do
 * both send.
 */
await printResult(async () => {
  if (config.embedded) throw new Error('Set DATABASE_URL to the database to move the building to.')
  const original = await startEmbeddedPostgres({ dataDir: config.dataDir })
  const file = path.join(config.dataDir, `moving-${process.pid}.tar.gz`)
  try {
    await migrateAs(original.ownerUrl, original.url)
    const secondFactors = await withDatabase(original.ownerUrl, 1, requireMovable)
    const { ending } = await takeBackup({ url: original.url, photos: storeNamed('local') }, file)
    const carried = ending.rows.audit_entries!
    await withConfiguredDatabase(async (target) => {
      await restoreBackup({ ...target, photos: photoStore }, file)
      await withDatabase(original.ownerUrl, 1, () => requireNobodyCame(carried))
      await withDatabase(original.url, 1, () => pauseSending(systemActor('cli'), 'moved'))
      await withDatabase(target.url, 1, () => resumeSending(systemActor('cli'), { all: true }))
    })
    if (secondFactors > 0)
      process.stderr.write(
        `${secondFactors} people use two-step sign-in. Keep the SESSION_SECRET from ${path.join(config.dataDir, 'keys.json')}, or they will have to set it up again.\n`,
      )
    return { moved: config.dataDir, rows: rowsIn(ending), photos: ending.photos }
  } finally {
    await removeArchive(file)
    await original.stop()
  }
})

/**
 * Returns how many people have a second factor. Throws without a building, when another process
 * uses the server, and when sending is paused: the new one sends all that waits, which of a stopped
 * building someone else may have sent (decision 7.22).
 */
async function requireMovable(): Promise<number> {
  const [source] = await query<{ lived: boolean; factors: number }>(
    `select exists (select from audit_entries) as lived,
       (select count(*)::integer from second_factors where confirmed_at is not null) as factors`,
  )
  if (!source!.lived) throw new Error(`There is no building in ${config.dataDir}.`)
  if (await othersUseIt())
    throw new Error(
      `Caretaker is running on ${config.dataDir}. Stop it first: reports made during the move would be lost.`,
    )
  const paused = await sendingPaused()
  if (paused?.why === 'moved') throw new Error('This building has already been moved.')
  if (paused)
    throw new Error(
      `Sending is paused for this building (${paused.why}), and moving it would resume sending. Run npm run sending -- resume first, or make a backup and restore it there.`,
    )
  return source!.factors
}

/** `carried`: audit entries in the copy. Throws when there are more, or another process runs. */
async function requireNobodyCame(carried: number): Promise<void> {
  const [row] = await query<{ entries: number }>('select count(*)::integer as entries from audit_entries')
  const behind = row!.entries - carried
  if (behind === 0 && !(await othersUseIt())) return
  const loss =
    behind === 0
      ? 'and what it writes would be missing from the copy'
      : `so audit entries are missing from the copy: ${behind}`
  throw new Error(
    `Caretaker was started on ${config.dataDir} during the move, ${loss}. The original stays live and the copy sends nothing. Stop Caretaker, empty the database at DATABASE_URL and move again.`,
  )
}

/**
 * Each process has a session in the database `postgres`, as this one has; only their own role is
 * told what they are. Looks for a second, because sessions of an ended process stay for a moment.
 */
async function othersUseIt(): Promise<boolean> {
  for (let looks = 0; looks < 5; looks++) {
    if (looks > 0) await sleep(250)
    const [row] = await query<{ inUse: boolean }>(
      `select count(*) > 1 as in_use from pg_stat_activity
       where datname = 'postgres' and backend_type = 'client backend'`,
    )
    if (!row!.inUse) return false
  }
  return true
}
