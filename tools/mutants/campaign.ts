import { copyOf } from './copy.js'
import type { Mutant } from './mutant.js'
import { type FailedTest, runTests } from './testRun.js'

/**
 * What became of a mutant. `killed`: tests failed. `survived`: none did, of all that were run.
 * `hung`: the tests did not come to their end, which a person would notice as well.
 */
export type Result = Pick<Mutant, 'kind' | 'file' | 'line' | 'rule'> & {
  outcome: 'killed' | 'survived' | 'hung'
  failed: number
  tests: string[]
  seconds: number
}

export type Campaign = {
  checkout: string
  mutants: readonly Mutant[]
  /** The test files that may notice, in groups: one follows where no test of the last one fails. */
  testsFor: (mutant: Mutant) => readonly (readonly string[])[]
  onResult: (result: Result) => void
  say: (line: string) => void
}

/**
 * Takes one rule after the other out of a copy of the checkout and runs the tests that may notice.
 * A test that fails without the mutant as well is not counted. The copy goes when all is done, or
 * when the process is stopped.
 */
export async function tryMutants(campaign: Campaign): Promise<Result[]> {
  const { checkout, mutants, testsFor, onResult, say } = campaign
  const copy = copyOf(checkout)
  let endRun = () => {}
  const stop = () => {
    endRun()
    copy.remove()
    process.exit(130)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const run = (files: readonly string[]) =>
    runTests(copy.folder, files, (end) => {
      endRun = end
    })
  try {
    const failsAnyway = whatFailsAnyway(run, say)
    const results: Result[] = []
    for (const mutant of mutants) {
      say(`${results.length + 1} of ${mutants.length}: ${mutant.file}:${mutant.line} ${mutant.rule}`)
      const began = performance.now()
      const runWithout = (files: readonly string[]) => copy.without(mutant, () => run(files))
      const verdict = await verdictOn(testsFor(mutant), runWithout, failsAnyway)
      const { kind, file, line, rule } = mutant
      const result = { kind, file, line, rule, ...verdict, seconds: secondsSince(began) }
      results.push(result)
      onResult(result)
    }
    return results
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    copy.remove()
  }
}

type Run = (files: readonly string[]) => Promise<FailedTest[] | null>
type FailsAnyway = (failures: readonly FailedTest[]) => Promise<FailedTest[]>

async function verdictOn(
  groups: readonly (readonly string[])[],
  runWithout: Run,
  failsAnyway: FailsAnyway,
): Promise<Pick<Result, 'outcome' | 'failed' | 'tests'>> {
  for (const files of groups) {
    if (files.length === 0) continue
    const failures = await runWithout(files)
    if (failures === null) return { outcome: 'hung', failed: 0, tests: [] }
    const anyway = await failsAnyway(failures)
    const tests = failures.filter((test) => !anyway.some((other) => isSame(test, other)))
    if (tests.length > 0)
      return {
        outcome: 'killed',
        failed: tests.length,
        tests: tests.map((test) => `${test.file} > ${test.name}`),
      }
  }
  return { outcome: 'survived', failed: 0, tests: [] }
}

const isSame = (a: FailedTest, b: FailedTest) => a.file === b.file && a.name === b.name

/** Finds out, once for each file, which of its tests fail with every rule in place. */
function whatFailsAnyway(run: Run, say: (line: string) => void): FailsAnyway {
  const known = new Map<string, FailedTest[]>()
  return async (failures) => {
    const files = [...new Set(failures.map(({ file }) => file))]
    const unknown = files.filter((file) => !known.has(file))
    if (unknown.length > 0) {
      say(`  with every rule: ${unknown.join(', ')}`)
      const failed = (await run(unknown)) ?? []
      for (const file of unknown)
        known.set(
          file,
          failed.filter((test) => test.file === file),
        )
    }
    return files.flatMap((file) => known.get(file)!)
  }
}

const secondsSince = (began: number) => Math.round((performance.now() - began) / 1_000)
