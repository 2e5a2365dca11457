import type { Interval } from '../status/intervals.js'
import { DAY, WEEK } from '../time/durations.js'
import { instantAt, wallAt } from '../time/zoneOffsets.js'

/** How a maintenance window repeats, spec §2 and §4 rule 8. */
export const recurrences = ['none', 'weekly', 'monthly'] as const
export type Recurrence = (typeof recurrences)[number]

/** A stored window: its first occurrence in epoch ms, and how it repeats (without end). */
export type RecurringWindow = { startsAt: number; endsAt: number; recurrence: Recurrence }

/** Why a window cannot be stored. */
export type WindowProblem = 'ends_before_start' | 'weekly_too_long' | 'monthly_too_long'

type Repeating = Exclude<Recurrence, 'none'>

/** The wall time `count` repeats after `wall`; wall times as in `wallAt`. */
const repeated: Record<Repeating, (wall: number, count: number) => number> = {
  weekly: (wall, count) => wall + count * WEEK,
  monthly: monthsLater,
}

/**
 * How many occurrences of a window that first ended at wall time `ended` are over at `wall` for certain: one
 * fewer than the wall clock says, because a clock change may delay an end past `wall`.
 */
const surelyOver: Record<Repeating, (ended: number, wall: number) => number> = {
  weekly: (ended, wall) => Math.floor((wall - ended) / WEEK),
  // One fewer again: months differ in length, so a later occurrence may end a month later.
  monthly: (ended, wall) => monthNumber(wall) - monthNumber(ended) - 2,
}

/**
 * Every occurrence overlapping [from, to), oldest first, epoch ms (decision 3.4): keeps wall times in `zone`,
 * day 29–31 becomes a short month's last. Throws a RangeError when repeating with an infinite `to`.
 */
export function occurrences(window: RecurringWindow, zone: string, from: number, to: number): Interval[] {
  const { startsAt, endsAt, recurrence } = window
  if (!(startsAt < endsAt && from < to && startsAt < to)) return []
  if (recurrence === 'none') return endsAt > from ? [{ start: startsAt, end: endsAt }] : []
  if (to === Infinity) throw new RangeError('a repeating window has no last occurrence')
  return repeats(window, recurrence, zone, from, to)
}

/**
 * The problem of a window's times, or null (decision 3.4). Lengths are elapsed time: a weekly window over the
 * autumn clock change may show an hour less than seven days on the wall.
 */
export function windowProblem({ startsAt, endsAt, recurrence }: RecurringWindow): WindowProblem | null {
  if (!(endsAt > startsAt)) return 'ends_before_start'
  if (recurrence === 'weekly' && endsAt - startsAt > WEEK) return 'weekly_too_long'
  if (recurrence === 'monthly' && endsAt - startsAt > 28 * DAY) return 'monthly_too_long'
  return null
}

function repeats(window: RecurringWindow, every: Repeating, zone: string, from: number, to: number) {
  const nth = occurrenceOf(window, every, zone)
  const found: Interval[] = []
  for (let n = firstInReach(window, every, zone, from); ; n++) {
    const occurrence = nth(n)
    if (occurrence.start >= to) return found
    if (occurrence.end > from) found.push(occurrence)
  }
}

function firstInReach({ endsAt }: RecurringWindow, every: Repeating, zone: string, from: number): number {
  if (from < endsAt) return 0
  return Math.max(0, surelyOver[every](wallAt(zone, endsAt), wallAt(zone, from)))
}

function occurrenceOf({ startsAt, endsAt }: RecurringWindow, every: Repeating, zone: string) {
  const firstWall = wallAt(zone, startsAt)
  const wallLength = wallAt(zone, endsAt) - firstWall
  return (n: number): Interval => {
    if (n === 0) return { start: startsAt, end: endsAt }
    const wall = repeated[every](firstWall, n)
    const start = instantAt(zone, wall)
    const end = instantAt(zone, wall + wallLength)
    // A clock change may put the end before the start: then the elapsed length is kept.
    return { start, end: end > start ? end : start + (endsAt - startsAt) }
  }
}

function monthsLater(wall: number, count: number): number {
  const date = new Date(wall)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + count, 1)
  return date.setUTCDate(Math.min(day, daysInMonth(date)))
}

function daysInMonth(date: Date): number {
  const last = new Date(date)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  return last.getUTCDate()
}

function monthNumber(wall: number): number {
  const date = new Date(wall)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
