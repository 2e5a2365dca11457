import type { Ratio } from './ratios.js'

/** Prints one line of a bench: what, its median with quartiles, its goal. True when the goal is met. */
export function verdict(
  name: string,
  value: Pick<Ratio, 'median' | 'q25' | 'q75'>,
  goal: { atLeast?: number; atMost?: number },
): boolean {
  const met = value.median >= (goal.atLeast ?? -Infinity) && value.median <= (goal.atMost ?? Infinity)
  const wanted = goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`
  const spread = `${value.q25.toFixed(2)}–${value.q75.toFixed(2)}`
  process.stdout.write(
    `  ${met ? 'met ' : 'MISS'}  ${name}: ${value.median.toFixed(2)} (${spread}), goal ${wanted}\n`,
  )
  return met
}
