import { quantile } from './ratios.js'
import { isTiny } from './size.js'

/**
 * Prints one line of a bench: what, its value, the least and the most that was measured and how
 * often, and its goal. True when the value meets the goal: the median, or the quantile asked for.
 * With `--tiny` no goal is printed, and none is missed.
 */
export function verdict(
  name: string,
  values: number[],
  goal: { atLeast?: number; atMost?: number },
  share = 0.5,
): boolean {
  const value = quantile(values, share)
  if (isTiny) {
    process.stdout.write(`        ${name}: ${spread(values, value)}\n`)
    return true
  }
  const met = value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity)
  const wanted = goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`
  process.stdout.write(`  ${met ? 'met ' : 'MISS'}  ${name}: ${spread(values, value)}, goal ${wanted}\n`)
  return met
}

/** The same of what has no goal: it is there to be known. */
export function printTimes(name: string, values: number[]): void {
  process.stdout.write(`        ${name}: ${spread(values, quantile(values, 0.5))}\n`)
}

function spread(values: number[], value: number): string {
  return `${value.toFixed(2)} (${quantile(values, 0).toFixed(2)}–${quantile(values, 1).toFixed(2)} in ${values.length})`
}
