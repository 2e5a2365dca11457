import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { configureGlobal } from 'fast-check'
import { afterAll, inject, vi } from 'vitest'
import { keys } from './keys.js'
import { seed } from './run/random.js'

/**
 * Runs before each test file: the configuration is read from the environment when the first
 * module needs it. Files that share a process start all the same with modules and an
 * environment nobody has touched.
 */
vi.resetModules()
const before = { ...process.env }
const dataDir = mkdtempSync(path.join(tmpdir(), 'caretaker-test-'))

Object.assign(process.env, {
  NODE_ENV: 'test',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  DATA_DIR: dataDir,
  DATABASE_URL: inject('databaseUrl'),
  PUBLIC_URL: '',
  ...keys,
})

configureGlobal({ seed: seed() })

afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true })
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
})
