import { config } from '../src/config.js'
import { closeDatabase, openDatabase } from '../src/database.js'
import { startEmbeddedPostgres } from '../src/embeddedPostgres.js'
import { migrate } from '../src/migrate.js'

/**
 * Runs one job from the command line: connects (joining or starting the private server when there is no DATABASE_URL),
 * prints what it did as one JSON line, and ends with 0, or with 1 and the reason.
 */
export async function runFromCommandLine(work: () => Promise<Record<string, unknown>>): Promise<never> {
  try {
    const result = await connected(work)
    process.stdout.write(`${JSON.stringify(result)}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}

async function connected<T>(work: () => Promise<T>): Promise<T> {
  const embedded = config.embedded ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : null
  try {
    openDatabase(embedded?.url ?? config.databaseUrl!, 4)
    if (embedded) await migrate()
    return await work()
  } finally {
    await closeDatabase()
    await embedded?.stop()
  }
}
