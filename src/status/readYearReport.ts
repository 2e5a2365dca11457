import { wallClock } from '../vocabulary/time/calendar.js'
import { NotFound } from '../vocabulary/validation.js'
import { presentYear, type YearReport } from './present/yearReport.js'
import { historyFrame } from './queries/history.js'
import { yearRows } from './queries/year.js'
import { yearBefore, yearUpTo } from './rules/yearFigures.js'

/** A year of the building, by default this one, beside the one before. Throws NotFound. */
export async function readYearReport(requestedYear: number | undefined): Promise<YearReport> {
  const { now, zone, first } = await historyFrame()
  const [earliest, current] = [first, now].map((at) => wallClock(zone, at).year) as [number, number]
  const year = requestedYear ?? current
  if (year > current || year < earliest) throw new NotFound()
  const span = yearUpTo(zone, year, now)
  const before = year > earliest ? yearBefore(zone, span) : null
  return presentYear(await yearRows(zone, span, before), {
    previous: before?.year ?? null,
    next: year < current ? year + 1 : null,
  })
}
