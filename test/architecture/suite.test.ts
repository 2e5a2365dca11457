import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { leftOut } from '../support/run/leftOutReporter.js'
import { longest } from '../support/run/longestFirst.js'
import { slowTests } from '../support/run/slow.js'
import { sourcesIn } from './sources.js'

const tests = sourcesIn(['test', 'tools']).filter(({ path: file }) => !file.startsWith('tools/bench/'))
const named = (name: string) => tests.filter(({ path: file }) => path.posix.basename(file) === name)

/** Shorter pauses are those between two looks, and of a slow reader or sender. */
const longPause = /(?:setTimeout\(\w+, |\bsleep\()(\d[\d_]*)\)/g

const offenders = (wrong: (text: string) => boolean, except: string[] = []) =>
  tests
    .filter(({ path: file, text }) => wrong(text) && !except.includes(path.posix.basename(file)))
    .map(({ path: file }) => file)

describe('a test', () => {
  it('draws only what a printed seed repeats', () => {
    expect(offenders((text) => text.includes('Math.random('), ['suite.test.ts'])).toEqual([])
    const unseeded = (text: string) =>
      text
        .split('fc.sample(')
        .slice(1)
        .some((call) => !call.slice(0, 300).includes('seed'))
    expect(offenders(unseeded, ['suite.test.ts'])).toEqual([])
    expect(offenders((text) => text.includes("'gaussian'"), ['suite.test.ts'])).toEqual([])
  })

  it('looks until it sees what it waits for', () => {
    const pauses = (text: string) =>
      !text.includes('useFakeTimers') &&
      [...text.matchAll(longPause)].some(([, ms]) => Number(ms!.replaceAll('_', '')) >= 300)
    expect(offenders(pauses)).toEqual([])
  })

  it('is set up by support, which needs none of the tools', () => {
    const needing = tests.flatMap(({ path: file, imports }) =>
      imports
        .filter((target) => file.startsWith('test/support/') && target.startsWith('tools/'))
        .map((target) => `${file} → ${target}`),
    )
    expect(needing).toEqual([])
  })

  it('runs, and does not keep the others from it', () => {
    expect(
      offenders((text) => /\b(?:it|test|describe)\.(?:skip|only|todo)\(/.test(text), ['suite.test.ts']),
    ).toEqual([])
  })

  it('is listed as slow in a file that is there', () => {
    const files = Object.keys(slowTests).map((name) => name.split(' > ')[0]!)
    expect(files.filter((file) => !tests.some(({ path: each }) => each === file))).toEqual([])
  })

  it('is among the longest by a name it has', () => {
    expect(longest.filter((name) => named(`${name}.test.ts`).length === 0)).toEqual([])
  })
})

describe('a test file', () => {
  it('begins with its cases, after ten lines at most of what it starts', () => {
    const long = tests
      .filter(({ path: file }) => file.endsWith('.test.ts'))
      .map(({ path: file, text }) => ({ file, lines: linesBeforeCases(text) }))
      .filter(({ lines }) => lines > 10)
    expect(long, 'long values stand below the last case, in functions with a name').toEqual([])
  })

  it('lets the product make its states, and writes few of them by SQL', () => {
    expect(tests.flatMap(writesIn).length).toBeLessThanOrEqual(mostWrites)
    const reports = tests.flatMap(({ path: file, text }) =>
      [...text.matchAll(/insert into incidents \(/g)].map(() => file),
    )
    expect(reports.length, reports.join(', ')).toBeLessThanOrEqual(5)
  })

  it('starts the product, or a part of it, by one of seven functions', () => {
    const starting = tests.flatMap(({ text }) =>
      [...text.matchAll(/^export (?:async )?(?:const|function) (use[A-Z]\w*)/gm)].map(([, name]) => name),
    )
    expect(starting.length, starting.join(', ')).toBeLessThanOrEqual(7)
  })
})

describe('the end of a run', () => {
  it('names the tests that a machine leaves out, and how to get the programs they use', () => {
    const text = leftOut({}, (name) => name === 'lynx')
    for (const name of ['Chromium', 'w3m', 'nginx', 'PgBouncer']) expect(text).toContain(`without ${name}: `)
    expect(text).not.toContain('without lynx')
    expect(text).toContain('apt-get install chromium w3m nginx-light pgbouncer\n')
  })

  it('says nothing where all are there, nor of those that must be', () => {
    expect(leftOut({}, () => true)).toBe('')
    const required = { REQUIRE_BROWSER: '1', REQUIRE_HOST: '1' }
    expect(leftOut(required, () => false)).toBe('')
  })
})

/**
 * Statements of SQL that write, in files whose subject is not the database or a process: states are
 * made by the product, and what it has no act for stands in `test/support`.
 */
function writesIn({ path: file, text }: { path: string; text: string }): string[] {
  if (/^test\/(?:platform|faults|host|jobs|support\/(?:host|postgres))\/|^tools\//.test(file)) return []
  const write = /\b(?:insert into|delete from) [\w"$]|\bupdate (?:only )?[\w"$.{}]+ set\b/gi
  return [...text.matchAll(write)].map(([start]) => `${file}: ${start}`)
}

/** A number that may only fall; words in titles and expected texts are among it. */
const mostWrites = 265

/** Lines of code before the first case, without imports and comments. */
function linesBeforeCases(text: string): number {
  const code = text
    .replace(/^import (?:[^'\n]|\n(?!import))*? from '.*'$|^import '.*'$/gm, '')
    .replace(/^[ \t]*\/\*\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm, '')
  const first = code.search(/^(?:describe|it|test|itInWholeRun|inWholeRun)\b/m)
  return code
    .slice(0, first)
    .split('\n')
    .filter((line) => line.trim() !== '').length
}
