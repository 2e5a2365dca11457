import type { Result } from './campaign.js'

/**
 * What a run comes to. `median` and `most`: of the tests that fail for each killed mutant; the
 * median is null without one.
 */
export type Summary = {
  mutants: number
  killed: number
  hung: number
  survived: number
  median: number | null
  most: number
  seed: number
  seconds: number
}

export function summaryOf(results: readonly Result[], seed: number): Summary {
  const count = (outcome: Result['outcome']) => results.filter((each) => each.outcome === outcome).length
  const failed = results.filter((each) => each.outcome === 'killed').map((each) => each.failed)
  return {
    mutants: results.length,
    killed: count('killed'),
    hung: count('hung'),
    survived: count('survived'),
    median: median(failed),
    most: Math.max(0, ...failed),
    seed,
    seconds: results.reduce((sum, each) => sum + each.seconds, 0),
  }
}

function median(numbers: number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
