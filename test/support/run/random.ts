import { onTestFailed } from 'vitest'

/** Draws for a test that tries what nobody thought of. */
export type Random = {
  /** What the draws follow from, for generators that draw by themselves. */
  seed: number
  /** From 0 up to 1. */
  number: () => number
  /** One of them; undefined when there is none. */
  pick: <T>(items: readonly T[]) => T | undefined
}

/**
 * What a test run draws from: one seed for every run, so that a failure is of what was changed;
 * TEST_SEED=new for draws nobody has seen, TEST_SEED=N for those of an earlier run.
 */
export const seed = (choice = process.env.TEST_SEED ?? '2026'): number =>
  choice === 'new' ? Date.now() % 2 ** 31 : Number(choice)

/** Called in a test: draws from the run's seed, which is printed when the test fails. */
export function drawing(from = seed()): Random {
  onTestFailed(() => void process.stderr.write(`Again with the same draws: TEST_SEED=${from}\n`))
  return drawsOf(from)
}

/** The draws that follow from this seed. */
export function drawsOf(seed: number): Random {
  const number = mulberry32(seed)
  return { seed, number, pick: (items) => items[Math.floor(number() * items.length)] }
}

/** Tommy Ettinger's generator, of 32 bits: small, and good enough to vary a test. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
