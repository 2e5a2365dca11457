import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from '../../src/platform/process/commandLine.js'
import { kinds } from './mutant.js'

const usage = `npm run mutants [-- --count N] [--seed S] [--kind KIND] [--first N] [--near N] [--only-near] [--list]
  Takes one rule at a time out of a copy of the code, runs the tests that may notice, and prints a line of JSON for
  each rule: which tests failed. The last line sums up. Ends with 1 when no test noticed a rule.
  --count: how many rules (200), as many of each kind: ${kinds.join(', ')}.
  --kind: rules of this kind alone. --seed: what the draws follow from (2026).
  --near: test files around a rule that are run for it (40), with those that ask the whole app. The others follow
  where none of them fails, unless --only-near is given, for a quick look.
  --first: so many of the nearest files run before them, and where one fails, nothing else does. It is quick, and
  counts fewer tests than fail. Without it, all near ones run at once.
  --list prints the rules that are drawn, and runs nothing.
  Takes some two minutes for each rule, and some five more for one that no near test notices.`

const number = /^[1-9]\d{0,8}$/
const { values } = readCommandLine({
  usage,
  options: {
    count: { type: 'string' },
    seed: { type: 'string' },
    kind: { type: 'string' },
    first: { type: 'string' },
    near: { type: 'string' },
    'only-near': { type: 'boolean' },
    list: { type: 'boolean' },
  },
  problemWith: ({ values: { kind, count, seed, first, near } }) => {
    if (kind !== undefined && !kinds.some((each) => each === kind))
      return `There is no kind ${kind}. Kinds: ${kinds.join(', ')}`
    const wrong = Object.entries({ count, seed, first, near }).find(
      ([, value]) => value !== undefined && !number.test(String(value)),
    )
    return wrong ? `--${wrong[0]} is a number from 1 to 999999999` : null
  },
})

const { chooseMutants, findMutants } = await import('./candidates.js')
const { tryMutants } = await import('./campaign.js')
const { readImports, testsByNearness } = await import('./reach.js')
const { summaryOf } = await import('./summary.js')
const { drawsOf } = await import('../../test/support/run/random.js')

const checkout = fileURLToPath(new URL('../../', import.meta.url)).replace(/dist[/\\]$/, '')
const seed = Number(values.seed ?? 2026)
const candidates = findMutants(checkout).filter(({ kind }) => !values.kind || kind === values.kind)
const mutants = chooseMutants(candidates, Number(values.count ?? 200), drawsOf(seed))
const print = (value: object) => void process.stdout.write(`${JSON.stringify(value)}\n`)
const say = (line: string) => void process.stderr.write(`${line}\n`)

if (values.list) {
  for (const { kind, file, line, rule } of mutants) print({ kind, file, line, rule })
  say(`${mutants.length} of ${candidates.length} rules`)
} else {
  const imports = readImports(checkout)
  const results = await tryMutants({
    checkout: path.resolve(checkout),
    mutants,
    testsFor: ({ file }) => {
      const { near, far } = testsByNearness(file, imports, Number(values.near ?? 40))
      const first = near.slice(0, Number(values.first ?? 0))
      const rest = near.slice(first.length)
      return values['only-near'] ? [first, rest] : [first, rest, far]
    },
    onResult: print,
    say,
  })
  const summary = summaryOf(results, seed)
  print(summary)
  for (const { file, line, rule } of results.filter(({ outcome }) => outcome === 'survived'))
    say(`survived: ${file}:${line} ${rule}`)
  process.exitCode = summary.survived > 0 ? 1 : 0
}
