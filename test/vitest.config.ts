import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: the form vitest asks for
export default defineConfig({
  test: {
    root: '.',
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/world.ts',
    setupFiles: 'test/support/environment.ts',
    pool: 'forks',
    maxWorkers: 2,
    // Generous: a busy machine is slow, and a test that hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    sequence: { hooks: 'list' },
  },
})
