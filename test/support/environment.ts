import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { configureGlobal } from 'fast-check'
import { afterAll, expect, inject, vi } from 'vitest'
import { keys } from './keys.js'
import { seed } from './suite/random.js'

/** Files that change the environment or load modules anew: the next one starts with modules nobody has touched. */
const changes = /\bprocess\.env\b|\bvi\.(hoisted|resetModules|stubEnv)\(|await import\(/

/** What the files of one process share: a folder for data, and whether the last one left its modules as they were. */
type Shared = { dataDir: string; untouched: boolean }
const ofProcess = globalThis as { ofTests?: Shared }
const shared = ofProcess.ofTests ?? {
  dataDir: mkdtempSync(path.join(tmpdir(), 'caretaker-test-')),
  untouched: true,
}
ofProcess.ofTests = shared

/** Runs before each test file: the configuration is read from the environment when the first module needs it. */
const touches = changes.test(readFileSync(expect.getState().testPath!, 'utf8'))
if (touches || !shared.untouched) vi.resetModules()
shared.untouched = !touches
const before = { ...process.env }
rmSync(shared.dataDir, { recursive: true, force: true })
mkdirSync(shared.dataDir)

Object.assign(process.env, {
  NODE_ENV: 'test',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  DATA_DIR: shared.dataDir,
  DATABASE_URL: inject('databaseUrl'),
  PUBLIC_URL: '',
  ...keys,
})

configureGlobal({ seed: seed() })

afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  rmSync(shared.dataDir, { recursive: true, force: true })
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
})
