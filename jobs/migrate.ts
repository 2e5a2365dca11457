import { config } from '../src/config.js'
import { startEmbeddedPostgres } from '../src/embeddedPostgres.js'
import { migrateAs } from '../src/migrate.js'
import { printing } from './run.js'

/**
 * `npm run migrate`: the release step that brings the database to this version's schema.
 * MIGRATION_DATABASE_URL: the role to migrate as; DATABASE_URL's role is then granted its rights.
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
