import { availableParallelism, loadavg } from 'node:os'
import type { Reporter, TestModule } from 'vitest/node'
import { slowAfter, slowTests } from './slow.js'

/**
 * Prints at the end of a quick run which tests took long without a reason in `slow.ts`, and which
 * of that list are no tests any more. A note, and no failure: how long a test takes depends on the
 * machine, so nothing is said of one that was busy before the run began.
 */
export class SlowTestsReporter implements Reporter {
  readonly #isQuiet = loadavg()[0]! < availableParallelism()

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#isQuiet || process.env.CARETAKER_TEST === 'all') return
    const tests = modules.flatMap(testsOf)
    const unlisted = tests
      .filter(({ name, ms }) => ms > slowAfter && !(name in slowTests))
      .toSorted((a, b) => b.ms - a.ms)
      .map(({ name, ms }) => `  ${(ms / 1000).toFixed(1)} s  ${name}\n`)
    if (unlisted.length > 0)
      process.stdout.write(
        `\nSlower than ${slowAfter / 1000} s, without a reason in slow.ts:\n${unlisted.join('')}`,
      )
    const files = new Set(modules.map((module) => module.relativeModuleId))
    const gone = Object.keys(slowTests).filter(
      (name) => files.has(name.split(' > ')[0]!) && !tests.some((test) => test.name === name),
    )
    if (gone.length > 0)
      process.stdout.write(`\nIn slow.ts, and no test:\n${gone.map((name) => `  ${name}\n`).join('')}`)
  }
}

const testsOf = (module: TestModule): { name: string; ms: number }[] =>
  [...module.children.allTests()].map((test) => ({
    name: `${module.relativeModuleId} > ${test.fullName}`,
    ms: test.diagnostic()?.duration ?? 0,
  }))
