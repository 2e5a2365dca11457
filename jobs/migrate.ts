import './commandLine.js'

import { migrateAs } from '../src/platform/db/migrations/migrate.js'
import { printResult, withConfiguredDatabase } from './run.js'

/**
 * `npm run migrate`: the release step that brings the database to this version's schema.
 * MIGRATION_DATABASE_URL: the role to migrate as; DATABASE_URL's role is then granted its rights.
 */
await printResult(async () => ({
  migrated: await withConfiguredDatabase(({ url, ownerUrl }) => migrateAs(ownerUrl, url)),
}))
