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

/** Called in a test: draws that TEST_SEED repeats. The seed is printed when the test fails. */
export function drawing(): Random {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31)
  onTestFailed(() => void process.stderr.write(`Again with the same draws: TEST_SEED=${seed}\n`))
  return drawsOf(seed)
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
