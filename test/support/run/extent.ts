import { it, type TestAPI } from 'vitest'

/**
 * The whole suite, as `.ci/run` asks for it; `npm test` alone has one case of each
 * of what is slow by nature.
 */
const whole = process.env.CARETAKER_TEST === 'all'

/** A part of a list, for the usual run. */
type EveryNth = { every: number; from?: number }
/** A part of a list of pairs, for the usual run. */
type EveryValue = { everyValue: true }

/**
 * What a run takes: `whole` in the whole run, and in the usual one `quick`, which stands for it and
 * is the same in every run. Of a list, `quick` may also say which part:
 *
 * - `{ every: 5 }` is every fifth case. Tests that share a list begin at different places of it:
 *   `{ every: 5, from: 2 }`.
 * - `{ everyValue: true }` is of pairs: as few as have every first and every second value in them.
 */
export function perRun<Case>(extents: { quick: EveryNth; whole: readonly Case[] }): readonly Case[]
export function perRun<Row, Column>(extents: { quick: EveryValue; whole: [Row, Column][] }): [Row, Column][]
export function perRun<Case>(extents: {
  quick: readonly NoInfer<Case>[]
  whole: readonly Case[]
}): readonly Case[]
export function perRun<T>(extents: { quick: T; whole: T }): T
export function perRun(extents: { quick: unknown; whole: unknown }): unknown {
  if (whole) return extents.whole
  const { every, from = 0, everyValue } = (extents.quick ?? {}) as Partial<EveryNth & EveryValue>
  if (typeof every === 'number') return (extents.whole as unknown[]).filter((_case, i) => i % every === from)
  if (everyValue) return pairsOfEveryValue(extents.whole as [unknown, unknown][])
  requirePartOf(extents.quick, extents.whole)
  return extents.quick
}

/** Throws when a word that stands for a list is not in it: its case was given another name. */
function requirePartOf(quick: unknown, all: unknown): void {
  if (!Array.isArray(quick) || !Array.isArray(all) || all.length === 0) return
  const strangers = quick.filter((each) => typeof each === 'string' && !all.includes(each))
  if (strangers.length > 0) throw new Error(`${strangers.join(', ')}: no case of the whole run`)
}

/** A test of the whole run alone. */
export const itInWholeRun = perRun<TestAPI>({
  quick: Object.assign(() => {}, { each: () => () => {}, skipIf: () => () => {} }) as unknown as TestAPI,
  whole: it,
})

/** Defines tests of the whole run alone. */
export function inWholeRun(define: () => void): void {
  if (whole) define()
}

/** As many pairs as the longer side has values: in each comes the next value of both sides. */
function pairsOfEveryValue<Row, Column>(pairs: readonly [Row, Column][]): [Row, Column][] {
  const rows = [...new Set(pairs.map(([row]) => row))]
  const columns = [...new Set(pairs.map(([, column]) => column))]
  return Array.from({ length: Math.max(rows.length, columns.length) }, (_, i) => [
    rows[i % rows.length]!,
    columns[i % columns.length]!,
  ])
}
