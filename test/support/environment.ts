import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import { keys } from './keys.js'

/** Runs before each test file: the configuration is read from the environment when the first module needs it. */
const dataDir = mkdtempSync(path.join(tmpdir(), 'caretaker-test-'))

Object.assign(process.env, {
  NODE_ENV: 'test',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  DATA_DIR: dataDir,
  DATABASE_URL: inject('databaseUrl'),
  PUBLIC_URL: '',
  ...keys,
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
