import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { configureGlobal } from 'fast-check'
import { afterAll, expect, inject, vi } from 'vitest'
import { keys } from './keys.js'
import { needsModulesAnew } from './suite/modules.js'
import { seed } from './suite/random.js'

/** What the files of one process share: a folder for data, and whether the last one left its modules as they were. */
type Shared = { dataDir: string; untouched: boolean }
const ofProcess = globalThis as { ofTests?: Shared }
const shared = ofProcess.ofTests ?? {
  dataDir: mkdtempSync(path.join(tmpdir(), 'caretaker-test-')),
  untouched: true,
}
ofProcess.ofTests = shared

/** Runs before each test file: the configuration is read from the environment when the first module needs it. */
const touches = needsModulesAnew(expect.getState().testPath!)
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

/** What a file sets in the configuration is not the next one's. A file that changes the environment reads it later. */
const restoreConfig = touches ? () => {} : await configKept()

async function configKept(): Promise<() => void> {
  const { config } = await import('../../src/platform/ops/config.js')
  const kept = Object.entries(config).map(([name, value]) => ({ name, value, within: { ...Object(value) } }))
  return () => {
    for (const { name, value, within } of kept)
      Object.assign(config, {
        [name]: typeof value === 'object' ? value && Object.assign(value, within) : value,
      })
  }
}

afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  restoreConfig()
  rmSync(shared.dataDir, { recursive: true, force: true })
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
})
