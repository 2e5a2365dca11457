import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tryMutants } from '../../../tools/mutants/campaign.js'
import { findMutants } from '../../../tools/mutants/candidates.js'
import type { Mutant } from '../../../tools/mutants/mutant.js'
import { checkout, readCheckout } from '../../support/compiled.js'
import { newFolder } from '../../support/run/folders.js'

describe('a rule that is taken out', () => {
  it('is killed by the tests that hold it, and survives where it changes nothing', async () => {
    const folder = smallCheckout()
    const mutants = findMutants(folder)
    expect(mutants.map(({ rule }) => rule)).toEqual([
      `takenStatuses: 'acknowledged'`,
      `takenStatuses: 'in_progress'`,
      `takenStatuses: 'in_progress'`,
    ])
    const results = await tryMutants({ checkout: folder, mutants: mutants.slice(0, 2), ...usual })
    expect(results).toMatchObject([
      {
        outcome: 'killed',
        failed: 1,
        tests: ['test/vocabulary/lifecycle.test.ts > takes up what is acknowledged'],
      },
      { outcome: 'survived', failed: 0, tests: [] },
    ])
    for (const [file, text] of Object.entries(small))
      expect(readFileSync(path.join(folder, file), 'utf8')).toBe(text)
  })

  it('is taken out of a copy of this checkout, whose tests notice it', async () => {
    const rule = `from open to: 'resolved'`
    const mutant: Mutant = findMutants(checkout).find((each) => each.rule === rule)!
    const before = readCheckout(mutant.file)
    const [result] = await tryMutants({ checkout, mutants: [mutant], ...usual })
    expect(result).toMatchObject({ file: 'src/vocabulary/lifecycle.ts', outcome: 'killed' })
    expect(result!.tests[0]).toMatch(/^test\/vocabulary\/lifecycle\.test\.ts > /)
    expect(readCheckout(mutant.file)).toBe(before)
  })
})

const usual = {
  testsFor: () => [['test/vocabulary/lifecycle.test.ts']],
  onResult: () => {},
  say: () => {},
}

/**
 * A checkout with a rule that a test holds, one that is written twice, so that nothing changes when
 * it is taken out once, and a test that always fails.
 */
const small: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'src/vocabulary/lifecycle.ts': `
    const takenStatuses: string[] = ['acknowledged', 'in_progress', 'in_progress']
    export const isTaken = (status: string) => takenStatuses.includes(status)
  `,
  'test/vitest.config.ts': 'export default {}',
  'test/vocabulary/lifecycle.test.ts': `
    import { expect, it } from 'vitest'
    import { isTaken } from '../../src/vocabulary/lifecycle.js'
    it('takes up what is acknowledged', () => expect(isTaken('acknowledged')).toBe(true))
    it('takes up what is in progress', () => expect(isTaken('in_progress')).toBe(true))
    it('fails with every rule', () => expect(isTaken('open')).toBe(true))
  `,
}

function smallCheckout(): string {
  const folder = newFolder()
  for (const [file, text] of Object.entries(small)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}
