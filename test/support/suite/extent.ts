import { it, type TestAPI } from 'vitest'

/** The whole suite, as `.ci/run` asks for it; `npm test` alone has one case of each of what is slow by nature. */
const whole = process.env.CARETAKER_TEST === 'all'

/** One or the other, as the run is. */
export const perRun = <T>(given: { quick: T; whole: T }): T => (whole ? given.whole : given.quick)

/** A test of the whole run alone. */
export const itInWholeRun = perRun<TestAPI>({
  quick: Object.assign(() => {}, { each: () => () => {} }) as unknown as TestAPI,
  whole: it,
})

/** Defines tests of the whole run alone. */
export function inWholeRun(define: () => void): void {
  if (whole) define()
}

/** The cases of the whole run, or the one that stands for them. Throws when that is none of them. */
export function casesOf<Case>(all: readonly Case[], one: Case): readonly Case[] {
  if (!all.includes(one)) throw new Error(`${one} is not a case`)
  return perRun({ quick: [one], whole: all })
}

/** How many of them a test makes up: TEST_LIVES, or as the run is. */
export const lives = (usual: { quick: number; whole: number }): number =>
  Number(process.env.TEST_LIVES ?? perRun(usual))
