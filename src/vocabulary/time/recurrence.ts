import { DAY, dateText, instantAt, WEEK, wallAt } from './calendar.js'
import type { Interval } from './intervals.js'

/** How a maintenance window repeats, spec §2 and §4 rule 8. */
export const recurrences = ['none', 'weekly', 'monthly'] as const
export type Recurrence = (typeof recurrences)[number]

/**
 * A stored window: its first occurrence in epoch ms and how it repeats. `until`: the last local
 * date on which it starts (YYYY-MM-DD); null or absent: without end. Work that does not repeat has
 * neither end nor exceptions.
 */
export type RecurringWindow = {
  startsAt: number
  endsAt: number
  recurrence: Recurrence
  until?: string | null
  exceptions?: readonly WindowException[]
}

/** The occurrence of a local date of the series, moved (epoch ms) or skipped (null). */
export type WindowException = { date: string } & (
  | { startsAt: number; endsAt: number }
  | { startsAt: null; endsAt: null }
)

/** An occurrence with the start of the local date that the series has it on (as in `wallAt`). */
export type PlannedDate = Interval & { date: number }

/** Why a window cannot be stored. */
type WindowProblem =
  | 'ends_before_start'
  | 'weekly_too_long'
  | 'monthly_too_long'
  | 'until_without_repeat'
  | 'until_before_start'

type Repeating = Exclude<Recurrence, 'none'>

/** The wall time `count` repeats after `wall`; wall times as in `wallAt`. */
const repeated: Record<Repeating, (wall: number, count: number) => number> = {
  weekly: (wall, count) => wall + count * WEEK,
  monthly: monthsLater,
}

/**
 * How many occurrences of a window that first ended at wall time `ended` are over at `wall` for
 * certain: one fewer than the wall clock says, because a clock change may delay an end past `wall`.
 */
const surelyOver: Record<Repeating, (ended: number, wall: number) => number> = {
  weekly: (ended, wall) => Math.floor((wall - ended) / WEEK),
  // One fewer again: months differ in length, so a later occurrence may end a month later.
  monthly: (ended, wall) => monthNumber(wall) - monthNumber(ended) - 2,
}

/**
 * Every occurrence overlapping [from, to), oldest first, epoch ms (decision 3.4): keeps wall times
 * in `zone`, day 29–31 becomes a short month's last. Throws a RangeError when repeating without end
 * with an infinite `to`.
 */
export function occurrences(window: RecurringWindow, zone: string, from: number, to: number): Interval[] {
  return datedOccurrences(window, zone, from, to).map(({ start, end }) => ({ start, end }))
}

/** As `occurrences`, each with the local date that its series has, also where it was moved. */
export function datedOccurrences(
  window: RecurringWindow,
  zone: string,
  from: number,
  to: number,
): PlannedDate[] {
  const { exceptions = [] } = window
  const changed = new Set(exceptions.map(({ date }) => Date.parse(date)))
  const planned = plannedDates(window, zone, from, to).filter(({ date }) => !changed.has(date))
  const moved = movedTo(exceptions).filter(({ start, end }) => start < to && end > from && from < to)
  return moved.length > 0
    ? [...planned, ...moved].sort((a, b) => a.start - b.start || a.end - b.end)
    : planned
}

/** As `occurrences`, as if nothing had been skipped or moved. */
export function plannedDates(window: RecurringWindow, zone: string, from: number, to: number): PlannedDate[] {
  const { startsAt, endsAt, recurrence, until } = window
  if (!(startsAt < endsAt && from < to && startsAt < to)) return []
  if (recurrence === 'none')
    return endsAt > from ? [{ date: dayOf(wallAt(zone, startsAt)), start: startsAt, end: endsAt }] : []
  if (to === Infinity && !until) throw new RangeError('a repeating window has no last occurrence')
  return repeats(window, recurrence, zone, from, to)
}

/**
 * The problem of a window's times, or null (decision 3.4). Lengths are elapsed time: a weekly
 * window over the autumn clock change may show an hour less than seven days on the wall.
 */
export function windowProblem(window: RecurringWindow, zone: string): WindowProblem | null {
  const { startsAt, endsAt, recurrence, until } = window
  if (!(endsAt > startsAt)) return 'ends_before_start'
  if (recurrence === 'weekly' && endsAt - startsAt > WEEK) return 'weekly_too_long'
  if (recurrence === 'monthly' && endsAt - startsAt > 28 * DAY) return 'monthly_too_long'
  if (!until) return null
  if (recurrence === 'none') return 'until_without_repeat'
  return Date.parse(until) < dayOf(wallAt(zone, startsAt)) ? 'until_before_start' : null
}

/** When the last occurrence ends (epoch ms); null when it repeats without end. */
export function overAt(window: RecurringWindow, zone: string): number | null {
  if (window.recurrence !== 'none' && !window.until) return null
  const ends = occurrences(window, zone, -Infinity, Infinity).map(({ end }) => end)
  return ends.reduce((last, end) => Math.max(last, end), window.startsAt)
}

/** The moved occurrences of a window, in the order of their dates. */
function movedTo(exceptions: readonly WindowException[]): PlannedDate[] {
  return exceptions.flatMap(({ date, startsAt, endsAt }) =>
    startsAt === null ? [] : [{ date: Date.parse(date), start: startsAt, end: endsAt }],
  )
}

/**
 * The name of one date of planned work in calendars and feeds, the same for good: of a series with
 * the local date that the series has, so that a moved date keeps it.
 */
export function occurrenceName(windowId: number, recurrence: Recurrence, date: number): string {
  return recurrence === 'none' ? `maintenance-${windowId}` : `maintenance-${windowId}-${dateText(date)}`
}

function repeats(window: RecurringWindow, every: Repeating, zone: string, from: number, to: number) {
  const { startsAt, endsAt, until } = window
  const first = wallAt(zone, startsAt)
  const length = wallAt(zone, endsAt) - first
  const last = until ? Date.parse(until) : Infinity
  const dates: PlannedDate[] = []
  for (let n = firstInReach(window, every, zone, from); ; n++) {
    const wall = repeated[every](first, n)
    const date = dayOf(wall)
    const start = n === 0 ? startsAt : instantAt(zone, wall)
    if (start >= to || date > last) return dates
    const ends = n === 0 ? endsAt : instantAt(zone, wall + length)
    // A clock change may put the end before the start: then the elapsed length is kept.
    const end = ends > start ? ends : start + (endsAt - startsAt)
    if (end > from) dates.push({ date, start, end })
  }
}

function firstInReach({ endsAt }: RecurringWindow, every: Repeating, zone: string, from: number): number {
  if (from < endsAt) return 0
  return Math.max(0, surelyOver[every](wallAt(zone, endsAt), wallAt(zone, from)))
}

/** Midnight of the day of a wall time. */
const dayOf = (wall: number) => Math.floor(wall / DAY) * DAY

function monthsLater(wall: number, count: number): number {
  const date = new Date(wall)
  const day = date.getUTCDate()
  // The last day of that month.
  date.setUTCMonth(date.getUTCMonth() + count + 1, 0)
  return date.setUTCDate(Math.min(day, date.getUTCDate()))
}

function monthNumber(wall: number): number {
  const date = new Date(wall)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
