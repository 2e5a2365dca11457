import { DAY } from './time/calendar.js'

/** When a fault was reported, and resolved if it was. */
export type Fault = { id: number; createdAt: Date; resolvedAt: Date | null }

/**
 * A breakdown soon after another of the same asset was repaired; `daysAfter`: whole days between.
 */
export type RepeatFault<F> = { fault: F; after: F; daysAfter: number }

/** Days in which a new breakdown means the repair did not last: the lift trade's own measure. */
export const repeatDays = 30

/**
 * Breakdowns of one asset that began since `since`, within 30 days of a repair; newest first. All
 * reports of one are one: what is reported while something is still unrepaired opens nothing.
 * `fault` opened it, `after` was repaired last.
 */
export function repeatFaults<F extends Fault>(faults: readonly F[], since: Date): RepeatFault<F>[] {
  const repeats: RepeatFault<F>[] = []
  let last: F | null = null
  for (const fault of faults.toSorted((a, b) => +a.createdAt - +b.createdAt || a.id - b.id)) {
    const gap = last === null ? Number.NaN : +fault.createdAt - end(last)
    if (last !== null && gap >= 0 && gap <= repeatDays * DAY && fault.createdAt >= since)
      repeats.push({ fault, after: last, daysAfter: Math.floor(gap / DAY) })
    if (last === null || end(fault) > end(last)) last = fault
  }
  return repeats.reverse()
}

/** When a fault was repaired, epoch ms; Infinity while it is not. */
const end = ({ resolvedAt }: Fault) => (resolvedAt === null ? Number.POSITIVE_INFINITY : +resolvedAt)
