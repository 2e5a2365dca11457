import { it, type TestAPI } from 'vitest'

/**
 * The whole suite, as `.ci/run` asks for it; `npm test` alone has one case of each
 * of what is slow by nature.
 */
const whole = process.env.CARETAKER_TEST === 'all'

/** One or the other, as the run is. */
export const perRun = <T>(given: { quick: T; whole: T }): T => (whole ? given.whole : given.quick)

/** A test of the whole run alone. */
export const itInWholeRun = perRun<TestAPI>({
  quick: Object.assign(() => {}, { each: () => () => {}, skipIf: () => () => {} }) as unknown as TestAPI,
  whole: it,
})

/** Defines tests of the whole run alone. */
export function inWholeRun(define: () => void): void {
  if (whole) define()
}

/**
 * The cases of the whole run, or every so manieth of them. Tests that share `all`
 * begin at different places.
 */
export const sampled = <Case>(all: readonly Case[], step: number, from = 0): readonly Case[] =>
  perRun({ quick: all.filter((_each, i) => i % step === from), whole: all })

/**
 * Each with each in the whole run; else as few pairs as have every row and every column
 * in them, always the same.
 */
export function pairsOf<Row, Column>(rows: readonly Row[], columns: readonly Column[]): [Row, Column][] {
  const all = rows.flatMap((row) => columns.map((column): [Row, Column] => [row, column]))
  const at = (i: number) => (i % rows.length) * columns.length + (i % columns.length)
  const few = Array.from(
    { length: all.length && Math.max(rows.length, columns.length) },
    (_, i) => all[at(i)]!,
  )
  return perRun({ quick: few, whole: all })
}

/**
 * The cases of the whole run, or the one that stands for them. Throws when that is none of them.
 */
export function casesOf<Case>(all: readonly Case[], one: Case): readonly Case[] {
  if (!all.includes(one)) throw new Error(`${one} is not a case`)
  return perRun({ quick: [one], whole: all })
}

/** How often a property is tried: so often in the whole run, a fifth as often in the quick one. */
export const rounds = (whole: number): number => perRun({ quick: Math.ceil(whole / 5), whole })

/** How many of them a test makes up: TEST_LIVES, or as the run is. */
export const lives = (usual: { quick: number; whole: number }): number =>
  Number(process.env.TEST_LIVES ?? perRun(usual))
