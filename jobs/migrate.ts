// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { migrateAs } from '../src/platform/db/migrations/migrate.js'
import { printResult, withConfiguredDatabase } from './support/runJob.js'

/**
 * `npm run migrate`: the release step that brings the database to this version's schema.
 * MIGRATION_DATABASE_URL: the role to migrate as; DATABASE_URL's role is then granted its rights.
 */
await printResult(async () => ({
  migrated: await withConfiguredDatabase(({ url, ownerUrl }) => migrateAs(ownerUrl, url)),
}))
