import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/embeddedPostgres.js'
import { built } from './built.js'
import { keys } from './keys.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The template database: migrated and filled with the demo building. Tests copy it and never write to it. */
    databaseUrl: string
    /** The same as the role that owns it: tests make and drop databases as this one, and the application never is it. */
    ownerUrl: string
    /** Its photos. */
    photoDir: string
  }
}

/** Durability costs half the time of a test run and protects nothing here. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' }

/** Once per run: compiled code for threads, a server of our own, and in it the building every test file gets a copy of. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await built()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'caretaker-world-'))
  const server = await startEmbeddedPostgres({ dataDir, database: 'template', settings })
  Object.assign(process.env, {
    ...keys,
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    DATABASE_URL: server.url,
  })
  const { openDatabase, closeDatabase } = await import('../../src/database.js')
  const { migrateAs } = await import('../../src/migrate.js')
  const { seedDemo } = await import('../../src/demo/seed.js')
  await migrateAs(server.ownerUrl, server.url)
  openDatabase(server.url)
  await seedDemo()
  await closeDatabase()
  project.provide('databaseUrl', server.url)
  project.provide('ownerUrl', server.ownerUrl)
  project.provide('photoDir', path.join(dataDir, 'photos'))
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
