/** One thing to compare: measured once per round, higher is better. */
export type Variant = { name: string; measure: () => Promise<number> }

export type Ratio = { name: string; q25: number; median: number; q75: number }

/**
 * Measures all variants in short slices, in shuffled order, round after round, and reports each one's ratio to the
 * baseline of its own round: on a noisy machine only what ran side by side can be compared.
 */
export async function ratios(baseline: Variant, others: Variant[], rounds: number): Promise<Ratio[]> {
  const found = new Map<string, number[]>(others.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const values = new Map<string, number>()
    for (const variant of shuffled([baseline, ...others])) values.set(variant.name, await variant.measure())
    const base = values.get(baseline.name)!
    for (const { name } of others) found.get(name)!.push(values.get(name)! / base)
  }
  return others.map(({ name }) => ({ name, ...quartiles(found.get(name)!) }))
}

/** The quartiles of a list of numbers. */
export function quartiles(values: number[]): { q25: number; median: number; q75: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { q25: at(0.25), median: at(0.5), q75: at(0.75) }
}

/** The same things in a random order. */
export function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
