import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { configureGlobal } from 'fast-check'
import { afterAll, inject } from 'vitest'
import { keys } from './keys.js'
import { seed } from './suite/random.js'

/**
 * Runs before each test file. A process runs many files and loads our modules once, so what a file changes in them is
 * put back after it: the environment, the settings, the data folder. A file that replaces modules or sets the environment
 * before they load has a process of its own (suite/runs.ts).
 */
process.env.TEST_DATA_DIR ??= mkdtempSync(path.join(tmpdir(), 'caretaker-test-'))
const dataDir = process.env.TEST_DATA_DIR

Object.assign(process.env, {
  DATA_DIR: dataDir,
  NODE_ENV: 'test',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  DATABASE_URL: inject('databaseUrl'),
  PUBLIC_URL: '',
  ...keys,
})
const environment = { ...process.env }

configureGlobal({ seed: seed() })

afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  for (const name of readdirSync(dataDir)) rmSync(path.join(dataDir, name), { recursive: true, force: true })
  const { restoreSettings } = await import('./settings.js')
  restoreSettings()
})
