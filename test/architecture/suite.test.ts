import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { pairsOf, perRun } from '../support/suite/extent.js'
import { longest } from '../support/suite/longestFirst.js'
import { slowTests } from '../support/suite/slow.js'
import { sourcesIn } from './sources.js'

const tests = sourcesIn(['test']).filter(({ path: file }) => !file.startsWith('test/bench/'))
const named = (name: string) => tests.filter(({ path: file }) => path.posix.basename(file) === name)

/** Where a test waits for a time, in ms: nothing can be seen there that would tell it the time is over. */
const waits: Record<string, string> = {
  'inboundEmail.test.ts': 'a sender that drips has its mail begun at the other end',
}
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
  })

  it('looks until it sees what it waits for', () => {
    const pauses = (text: string) =>
      !text.includes('useFakeTimers') &&
      [...text.matchAll(longPause)].some(([, ms]) => Number(ms!.replaceAll('_', '')) >= 300)
    expect(offenders(pauses, Object.keys(waits))).toEqual([])
    for (const name of Object.keys(waits))
      expect(named(name).filter(({ text }) => pauses(text))).not.toEqual([])
  })

  it('runs, and does not keep the others from it', () => {
    expect(
      offenders((text) => /\b(?:it|test|describe)\.(?:skip|only|todo)\(/.test(text), ['suite.test.ts']),
    ).toEqual([])
  })

  it('that looks at processes as files says what it does where there are none', () => {
    const looks = (text: string) => /\/proc\/|decodersOf\(|mostMemory\(|begunBy\(/.test(text)
    const unguarded = (text: string) => looks(text) && !text.includes('withoutProcesses')
    const files = offenders(looks).filter((file) => file.endsWith('.test.ts'))
    expect(files.length).toBeGreaterThan(3)
    expect(offenders(unguarded).filter((file) => file.endsWith('.test.ts'))).toEqual([])
  })

  it('takes no process for a running one that has ended and waits for its parent to hear of it', () => {
    const asks = (text: string) => /\^State:|\bkill\([^()]*, 0\)/.test(text)
    const except = ['processes.ts', 'temporary.ts', 'suite.test.ts']
    expect(offenders(asks, except)).toEqual([])
    for (const name of except.slice(0, 2)) expect(named(name).some(({ text }) => asks(text))).toBe(true)
  })

  it('tries every row and every column of a table, in either run', () => {
    for (const [rows, columns] of [
      [3, 3],
      [4, 6],
      [9, 2],
      [1, 5],
      [0, 5],
    ] as const) {
      const pairs = pairsOf([...Array(rows).keys()], [...Array(columns).keys()])
      const all = rows * columns
      expect(new Set(pairs.map(String)).size).toBe(
        perRun({ quick: all && Math.max(rows, columns), whole: all }),
      )
      expect(new Set(pairs.map(([row]) => row)).size).toBe(rows)
      expect(new Set(pairs.map(([, column]) => column)).size).toBe(rows && columns)
    }
  })

  it('is listed as slow in a file that is there', () => {
    const files = Object.keys(slowTests).map((name) => name.split(' > ')[0]!)
    expect(files.filter((file) => !tests.some(({ path: each }) => each === file))).toEqual([])
  })

  it('is among the longest by a name it has', () => {
    expect(longest.filter((name) => named(`${name}.test.ts`).length === 0)).toEqual([])
  })
})
