import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/platform/postgres/embeddedPostgres.js'
import { built, compileIfNeeded } from './compiled.js'
import { keys } from './keys.js'
import { temporaryFolder } from './run/temporary.js'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The template database: migrated and filled with the demo building. Tests copy
     * it and never write to it.
     */
    databaseUrl: string
    /**
     * The same as the role that owns it: tests make and drop databases as this one, and the
     * application never is it.
     */
    ownerUrl: string
    /** Its photos. */
    photoDir: string
    /**
     * The same building as the data folder of a private server, as a first start
     * leaves it. Tests copy it.
     */
    buildingDir: string
  }
}

/** Durability costs half the time of a test run and protects nothing here. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' }

/**
 * Once per run: compiled code for threads, a server of our own, and in it the building every
 * test file gets a copy of.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await compileIfNeeded()
  const dist = await built()
  const folder = temporaryFolder()
  cleanUpAfter(folder, dist)
  const dataDir = path.join(folder, 'world')
  const buildingDir = path.join(folder, 'building')
  mkdirSync(dataDir)
  const start = () => startEmbeddedPostgres({ dataDir, settings })
  let server = await start()
  Object.assign(process.env, {
    ...keys,
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    DATABASE_URL: server.url,
  })
  // A building that cannot be filled leaves no server behind, which would keep
  // this process from ending.
  try {
    await fill(server)
  } finally {
    await server.stop()
  }
  // With owners: the files are another user's where this one is root.
  execFileSync('cp', ['-a', dataDir, buildingDir])
  server = await start()
  project.provide('databaseUrl', server.url)
  project.provide('ownerUrl', server.ownerUrl)
  project.provide('photoDir', path.join(dataDir, 'photos'))
  project.provide('buildingDir', buildingDir)
  return async () => {
    await server.stop()
    // A browser that ends at this moment may write to its profile once more.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** Starts a process that outlives this one and ends what it may leave behind. */
function cleanUpAfter(folder: string, dist: string): void {
  process.env.TMPDIR = folder
  const script = path.join(dist, 'test', 'support', 'run', 'afterRun.js')
  const child = spawn(process.execPath, [script, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  // A pipe to a process is a socket that keeps this one from ending, too.
  ;(child.stdin as Socket).unref()
}

async function fill({ url, ownerUrl }: EmbeddedServer): Promise<void> {
  const { openDatabase, closeDatabase } = await import('../../src/platform/db/pools.js')
  const { migrateAs } = await import('../../src/platform/db/migrations/migrate.js')
  const { seedDemo } = await import('../../src/demo/seed.js')
  await migrateAs(ownerUrl, url)
  openDatabase(url)
  try {
    await seedDemo()
  } finally {
    await closeDatabase()
  }
}
