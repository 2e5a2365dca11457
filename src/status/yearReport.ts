import { wallClock } from '../vocabulary/time/calendar.js'
import { yearBefore, yearUpTo } from '../vocabulary/time/intervals.js'
import { NotFound } from '../vocabulary/validation.js'
import { presentYear, type YearReport } from './json/yearReport.js'
import { historyFrame } from './queries/history.js'
import { yearRows } from './queries/year.js'

/**
 * A year of the building, by default this one, beside the one before. Throws NotFound for a year it
 * has not seen.
 */
export async function yearReport(asked: number | undefined): Promise<YearReport> {
  const { now, zone, first } = await historyFrame()
  const [earliest, current] = [first, now].map((at) => wallClock(zone, at).year) as [number, number]
  const year = asked ?? current
  if (year > current || year < earliest) throw new NotFound()
  const span = yearUpTo(zone, year, now)
  const before = year > earliest ? yearBefore(zone, span) : null
  return presentYear(await yearRows(zone, span, before), {
    previous: before?.year ?? null,
    next: year < current ? year + 1 : null,
  })
}
