import { ts } from '@ts-morph/common'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../tools/mutants/campaign.js'
import { applied, chooseMutants, findMutants, mutantsOf } from '../../tools/mutants/candidates.js'
import { hiding } from '../../tools/mutants/kinds/redaction.js'
import { limitNames } from '../../tools/mutants/kinds/tables.js'
import { kinds, type Mutant } from '../../tools/mutants/mutant.js'
import { readImports, testsByNearness } from '../../tools/mutants/reach.js'
import { summaryOf } from '../../tools/mutants/summary.js'
import { sourcesIn } from '../architecture/sources.js'
import { checkout, readCheckout } from '../support/compiled.js'
import { drawsOf } from '../support/run/random.js'

const all = findMutants(checkout)

describe('the rules that can be taken out', () => {
  /** Code of a file, and the same code without each rule of a kind, in order. */
  const examples: { kind: Mutant['kind']; file: string; code: string; without: string[] }[] = [
    {
      kind: 'lifecycle',
      file: 'src/vocabulary/lifecycle.ts',
      code: `const transitions = { open: ['done', 'verified'], done: [] }`,
      without: [
        `const transitions = { open: ['verified'], done: [] }`,
        `const transitions = { open: ['done'], done: [] }`,
      ],
    },
    {
      kind: 'permission',
      file: 'src/vocabulary/people/permissions.ts',
      code: `const permissions = { 'page.read': anyone, 'office.read': staff } as const`,
      without: [
        `const permissions = { 'page.read': known, 'office.read': staff } as const`,
        `const permissions = { 'page.read': anyone, 'office.read': ['admin'] } as const`,
        `const permissions = { 'page.read': anyone, 'office.read': signedIn } as const`,
      ],
    },
    {
      kind: 'redaction',
      file: 'src/incidents/model/redaction.ts',
      code: `const words = (viewer: Viewer) => (viewer.staff ? hidden : shown)`,
      without: [`const words = (viewer: Viewer) => (true ? hidden : shown)`],
    },
    {
      kind: 'redaction',
      file: 'src/vocabulary/audit.ts',
      code: `const secretFields = new Set(['secret', 'token'])`,
      without: [`const secretFields = new Set(['token'])`, `const secretFields = new Set(['secret'])`],
    },
    {
      kind: 'limit',
      file: 'src/inbound/limits.ts',
      code: `const emailLimits = { hour: { most: 30, by: 'address' } }; const mostPhotos = 3`,
      without: [
        `const emailLimits = { hour: { most: 10 * (30), by: 'address' } }; const mostPhotos = 3`,
        `const emailLimits = { hour: { most: 30, by: 'address' } }; const mostPhotos = 10 * (3)`,
      ],
    },
    {
      kind: 'event',
      file: 'src/incidents/acts/report.ts',
      code: `if (isNew) c.emit({ event: 'incident.created' })`,
      without: [`if (isNew) undefined`],
    },
    {
      kind: 'event',
      file: 'src/notifications/audience.ts',
      code: `const notifiedEvents = { merged: { setting: 'merged', mail: 'followers' } }`,
      without: [
        `const notifiedEvents = {  }`,
        `const notifiedEvents = { merged: { setting: 'merged', mail: 'staff' } }`,
      ],
    },
    {
      kind: 'audit',
      file: 'src/incidents/acts/merge.ts',
      code: `await change(actor, async (c) => c.audit('incident.merged', id))`,
      without: [`await change(actor, async (c) => undefined)`],
    },
    {
      kind: 'header',
      file: 'src/platform/http/protection/securityHeaders.ts',
      code: `const securityHeaders = Object.freeze({ 'X-Frame-Options': 'DENY' }); ctx.set('ETag', tag)`,
      without: [
        `const securityHeaders = Object.freeze({  }); ctx.set('ETag', tag)`,
        `const securityHeaders = Object.freeze({ 'X-Frame-Options': 'DENY' }); undefined`,
      ],
    },
    {
      kind: 'validation',
      file: 'src/building/units.ts',
      code: `if (number === '') throw new ValidationFailed({ number: ['number_required'] })`,
      without: [`;`],
    },
    {
      kind: 'validation',
      file: 'src/building/units.ts',
      code: `const floor = z.int().min(-5).max(60)`,
      without: [`const floor = z.int().min(-5)`, `const floor = z.int().max(60)`],
    },
    {
      kind: 'validation',
      file: 'src/maintenance/windowEntity.ts',
      code: `const until = day('until').refine(isLater, 'until_too_early')`,
      without: [`const until = day('until')`],
    },
  ]

  it.each(examples)('are found, of kind $kind: $code', ({ kind, file, code, without }) => {
    const mutants = mutantsOf(file, code).filter((mutant) => mutant.kind === kind)
    expect(mutants.map((mutant) => applied(mutant, code))).toEqual(without)
  })

  it('are no errors that say that a program is wrong', () => {
    const code = `if (rows === 0) throw new Error('no row'); if (Math.min(1, 2)) stop()`
    expect(mutantsOf('src/building/units.ts', code)).toEqual([])
  })

  it('are also those of schemas that begin with a rule of ours', () => {
    const ours = all.filter(({ kind, rule }) => kind === 'validation' && /^\.refine\(/.test(rule))
    const refinedIn = (path: string) => ours.filter(({ file }) => file === path).map(({ rule }) => rule)
    const addresses = refinedIn('src/vocabulary/inputRules.ts').filter((rule) =>
      rule.includes('addressPattern'),
    )
    expect(addresses.length).toBe(2)
    expect(refinedIn('src/maintenance/windowEntity.ts').length).toBeGreaterThan(0)
  })

  it('are looked for by names that the code has: a name that was changed would find nothing', () => {
    const code = sourcesIn(['src']).map(({ text }) => text)
    const declared = code.flatMap((text) =>
      Array.from(text.matchAll(/\b(?:const|function) (\w+)/g), ([, name]) => name!),
    )
    expect(Object.keys(hiding).filter((name) => !declared.includes(name))).toEqual([])
    expect(limitNames.filter((name) => !declared.some((each) => name.test(each)))).toEqual([])
  })

  it.each(kinds)('are many of kind %s in the code as it is', (kind) => {
    expect(all.filter((mutant) => mutant.kind === kind).length).toBeGreaterThan(15)
  })
})

describe('the rules that are drawn', () => {
  const drawn = chooseMutants(all, 200, drawsOf(5))

  it('are the same again from the same seed, and each is drawn once', () => {
    expect(chooseMutants(all, 200, drawsOf(5))).toEqual(drawn)
    expect(chooseMutants(all, 200, drawsOf(6))).not.toEqual(drawn)
    expect(new Set(drawn).size).toBe(200)
  })

  it('are of every kind alike, as far as there are so many', () => {
    for (const kind of kinds) {
      const available = all.filter((mutant) => mutant.kind === kind).length
      const ofKind = drawn.filter((mutant) => mutant.kind === kind).length
      expect([kind, ofKind]).toEqual([kind, expect.any(Number)])
      expect(ofKind).toBeGreaterThanOrEqual(Math.min(available, 25))
    }
  })

  it('leave code that can be read', () => {
    const broken = drawn.filter((mutant) => {
      const { diagnostics } = ts.transpileModule(applied(mutant, readCheckout(mutant.file)), {
        reportDiagnostics: true,
      })
      return diagnostics!.length > 0
    })
    expect(broken.map(({ file, line, rule }) => `${file}:${line} ${rule}`)).toEqual([])
  })
})

describe('the tests that may notice', () => {
  const imports = readImports(checkout)

  it('are first those that import the file, then those of its room, then those of the whole app', () => {
    const { near, far } = testsByNearness('src/incidents/acts/mergeIncidents.ts', imports, 10)
    expect(near.slice(0, 10).filter((test) => !/^test\/(?:incidents|inbound)\//.test(test))).toEqual([])
    expect(near.slice(10).filter((test) => !/^test\/(?:contract|every|anonymity)\//.test(test))).toEqual([])
    expect(near.filter((test) => test.startsWith('test/contract/')).length).toBeGreaterThan(5)
    expect(far.some((test) => test.startsWith('test/inbound/'))).toBe(true)
    expect(near.filter((test) => far.includes(test))).toEqual([])
    const [first] = testsByNearness('src/vocabulary/lifecycle.ts', imports, 10).near
    expect(first).toBe('test/vocabulary/lifecycle.test.ts')
  })

  it('are none that look at code alone, and none of these tools', () => {
    const { near, far } = testsByNearness('src/vocabulary/limits.ts', imports, 10)
    const tests = [...near, ...far]
    expect(tests.length).toBeGreaterThan(200)
    expect(tests.filter((test) => /^test\/(?:architecture|tools)\/|\/whole\//.test(test))).toEqual([])
  })
})

describe('the sum of a run', () => {
  const result = (outcome: Result['outcome'], failed: number): Result => ({
    kind: 'audit',
    file: 'src/a.ts',
    line: 1,
    rule: 'c.audit()',
    outcome,
    failed,
    tests: [],
    seconds: 2,
  })

  it('counts what became of the rules, and takes the median of those that tests noticed', () => {
    const results = [result('killed', 9), result('survived', 0), result('killed', 2), result('hung', 0)]
    expect(summaryOf(results, 7)).toEqual({
      mutants: 4,
      killed: 2,
      hung: 1,
      survived: 1,
      median: 5.5,
      most: 9,
      seed: 7,
      seconds: 8,
    })
    expect(summaryOf([], 7).median).toBeNull()
  })
})
