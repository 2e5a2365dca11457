type Measure = () => Promise<number>

/**
 * Measures both in short slices, in random order, round after round, and returns the ratio to the
 * baseline of each round: on a noisy machine only what ran side by side can be compared.
 */
export async function ratios(baseline: Measure, other: Measure, rounds: number): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < rounds; round++) {
    const values = new Map<Measure, number>()
    for (const measure of shuffled([baseline, other])) values.set(measure, await measure())
    found.push(values.get(other)! / values.get(baseline)!)
  }
  return found
}

/** The value so far up the sorted list: 0.5 is the median, 1 the largest. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

/** The same things in a random order. */
export function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
