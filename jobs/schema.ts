// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '../src/platform/db/migrations/migrate.js'
import { schemaDocument } from '../src/platform/db/migrations/schema.js'
import { withDatabase } from '../src/platform/db/pools.js'
import { startEmbeddedPostgres } from '../src/platform/postgres/embeddedPostgres.js'
import { rootDir } from '../src/platform/process/config.js'
import { argumentsOf } from './support/commandLine.js'

const file = path.join(rootDir, 'migrations', 'schema.sql')

/** `npm run schema` writes migrations/schema.sql from a new database; `--check` compares. */
async function main(): Promise<number> {
  const made = await documentOfEmptyDatabase()
  if (!argumentsOf('schema').values.check) {
    writeFileSync(file, made)
    return 0
  }
  if (readFileSync(file, 'utf8') === made) return 0
  process.stderr.write('migrations/schema.sql is out of date. Run: npm run schema\n')
  return 1
}

async function documentOfEmptyDatabase(): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'caretaker-schema-'))
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  try {
    return await withDatabase(server.ownerUrl, 4, async () => {
      await migrate()
      return schemaDocument()
    })
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

process.exit(await main())
