import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { LeftOutReporter } from './support/run/leftOutReporter.js'
import { LongestFirst } from './support/run/longestFirst.js'
import { apart, throughHost, together } from './support/run/runs.js'
import { SlowTestsReporter } from './support/run/slowTestsReporter.js'

/**
 * One a core. Whole tables wait more for deadlines and browsers: one more
 * uses what the others leave.
 */
const workers = Math.min(availableParallelism(), 4) + (process.env.CARETAKER_TEST === 'all' ? 1 : 0)

const alias = {
  // Types for clients are written with the compiler's former API, which the compiler of
  // this project no longer has.
  typescript: '@ts-morph/common/dist/typescript.js',
  '@node-rs/argon2': path.resolve('test/support/run/quickArgon2.ts'),
}

const common = {
  setupFiles: 'test/support/environment.ts',
  pool: 'forks',
  // Generous: a busy machine is slow, and a test that hangs is found all the same.
  testTimeout: 180_000,
  hookTimeout: 240_000,
  // A test that asserts nothing, and one that gives up looking after a second, says
  // nothing about the product.
  expect: { requireAssertions: true, poll: { timeout: 120_000 } },
  alias,
  server: { deps: { inline: [/openapi-typescript\//, /@hey-api\//] as RegExp[] } },
} as const

/**
 * The specification's tests once more, of two webs behind nginx and PgBouncer instead of the
 * application in the process.
 */
const host = {
  ...common,
  name: 'host',
  include: throughHost(),
  isolate: false,
  alias: [
    ...Object.entries(alias).map(([find, replacement]) => ({ find, replacement })),
    { find: /^\.\.\/support\/house\/house\.js$/, replacement: path.resolve('test/support/host/house.ts') },
  ],
}

// biome-ignore lint/style/noDefaultExport: the form vitest asks for
export default defineConfig({
  test: {
    root: '.',
    alias,
    reporters: ['default', new SlowTestsReporter(), new LeftOutReporter()],
    globalSetup: 'test/support/world.ts',
    maxWorkers: workers,
    sequence: { hooks: 'list', sequencer: LongestFirst },
    projects: [
      { test: { ...common, name: 'together', include: together(), isolate: false } },
      { test: { ...common, name: 'apart', include: apart() } },
      { test: host },
    ],
  },
})
