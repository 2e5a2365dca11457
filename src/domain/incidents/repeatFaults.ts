import { DAY } from '../time/durations.js'

/** When a fault was reported, and resolved if it was. */
export type Fault = { id: number; createdAt: Date; resolvedAt: Date | null }

/** A fault reported soon after another of the same asset was resolved; `daysAfter`: whole days between. */
export type RepeatFault<F> = { fault: F; after: F; daysAfter: number }

/** Days in which a new fault means the repair did not last: the lift trade's own measure. */
export const repeatDays = 30

/** Faults of one asset, reported since `since`, within 30 days of a repair; newest first. */
export function repeatFaults<F extends Fault>(faults: readonly F[], since: Date): RepeatFault<F>[] {
  return faults
    .filter(({ createdAt }) => createdAt >= since)
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id)
    .flatMap((fault) => repeated(fault, faults))
}

function repeated<F extends Fault>(fault: F, faults: readonly F[]): RepeatFault<F>[] {
  const [last] = faults
    .filter((other) => other.id !== fault.id && gap(fault, other) >= 0)
    .sort((a, b) => gap(fault, a) - gap(fault, b))
  if (!last || gap(fault, last) > repeatDays * DAY) return []
  return [{ fault, after: last, daysAfter: Math.floor(gap(fault, last) / DAY) }]
}

/**
 * Milliseconds from the repair of `other` to the report of `fault`; NaN (compares as false) if unrepaired.
 */
function gap(fault: Fault, other: Fault): number {
  return other.resolvedAt === null ? Number.NaN : fault.createdAt.getTime() - other.resolvedAt.getTime()
}
