import { config } from '../src/config.js'
import { startEmbeddedPostgres } from '../src/embeddedPostgres.js'
import { migrateAs } from '../src/migrate.js'
import { printing } from './run.js'

/**
 * `npm run migrate`: brings the database to this version's schema; the release step of a deployment. With
 * MIGRATION_DATABASE_URL as the role of that address, and the one of DATABASE_URL is given its rights.
 */
await printing(async () => ({ migrated: await migrated() }))

async function migrated(): Promise<string[]> {
  const { databaseUrl, migrationDatabaseUrl, dataDir } = config
  if (databaseUrl) return migrateAs(migrationDatabaseUrl ?? databaseUrl, databaseUrl)
  const embedded = await startEmbeddedPostgres({ dataDir })
  try {
    return await migrateAs(embedded.ownerUrl, embedded.url)
  } finally {
    await embedded.stop()
  }
}
