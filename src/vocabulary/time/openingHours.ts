import { westernDigits } from '../digits.js'
import { DAY, instantAt, wallAt } from './calendar.js'

/**
 * When someone can be reached, on the building's clock. Of each kind of day: "08:00-12:00,
 * 13:00-17:00"; an end before its start is on the next day; empty: never on that day. All empty:
 * not known.
 */
export type OpeningHours = { hoursWeekdays: string; hoursSaturday: string; hoursSunday: string }

/** The kinds of days that have hours of their own, in the order of a week. */
export const hoursFields = ['hoursWeekdays', 'hoursSaturday', 'hoursSunday'] as const

const time = '([01][0-9]|2[0-3]):[0-5][0-9]'
const span = `${time}-(${time}|24:00)`

/** A day without a pause, as it is stored. */
export const allDay = '00:00-24:00'

/** What every such text is, for the API description. */
export const hoursPattern = `^(${span}(, ${span}){0,6})?$`

const minuteMs = 60_000
const inDay = 24 * 60

/** How people write a whole day. */
const wholeDay = /^24\s*(h|hrs?|hours?|horas?|\/\s*7)$/i
/** `8`, `08:00`, `8.30` or `8h30`, a dash or a word, and another time. */
const times = /^(\d{1,2})(?:[:.h](\d\d))?h?\s*(?:-|–|—|to|a|bis)\s*(\d{1,2})(?:[:.h](\d\d))?h?$/i

/** Hours as people type them, in the one form that is stored; null for anything else. */
export function hoursFrom(text: string): string | null {
  const parts = westernDigits(text)
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const read = parts.map((part) => (wholeDay.test(part) ? allDay : spanFrom(part)))
  return read.includes(null) ? null : read.join(', ')
}

function spanFrom(part: string): string | null {
  const [, fromHour, fromMinute = '0', toHour, toMinute = '0'] = times.exec(part) ?? []
  if (fromHour === undefined) return null
  const from = Number(fromHour) * 60 + Number(fromMinute)
  const to = Number(toHour) * 60 + Number(toMinute)
  if (Number(fromMinute) > 59 || Number(toMinute) > 59 || from >= inDay || to > inDay) return null
  // From midnight to midnight is a whole day, and so is from eight to eight.
  return from === 0 && to === 0 ? allDay : `${clock(from)}-${clock(to)}`
}

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/**
 * Whether someone can be reached at `now` (epoch ms), and until when that holds. `isOpen`: null
 * where the hours are not known. `until`: null where it never changes.
 */
export function reachableAt(
  hours: OpeningHours,
  zone: string,
  now: number,
): { isOpen: boolean | null; until: number | null } {
  if (hoursFields.every((field) => hours[field] === '')) return { isOpen: null, until: null }
  const wall = wallAt(zone, now)
  const open = spansAround(hours, wall)
  const present = open.find(({ start, end }) => start <= wall && wall < end)
  const next = present ? present.end : open.find(({ start }) => start > wall)?.start
  if (next === undefined || next - wall > 8 * DAY) return { isOpen: present !== undefined, until: null }
  // In an hour that the clock repeats, the end seems past: it is looked at again in a minute.
  const until = Math.max(instantAt(zone, next), now + minuteMs)
  return { isOpen: present !== undefined, until }
}

/** The spans from yesterday to a week and two days ahead, in wall time; those that meet are one. */
function spansAround(hours: OpeningHours, wall: number): { start: number; end: number }[] {
  const today = Math.floor(wall / DAY) * DAY
  const all = Array.from({ length: 11 }, (_, i) => today + (i - 1) * DAY).flatMap((day) =>
    spansOn(hours, day),
  )
  const merged: { start: number; end: number }[] = []
  for (const span of all.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else merged.push(span)
  }
  return merged
}

function spansOn(hours: OpeningHours, day: number): { start: number; end: number }[] {
  const weekday = new Date(day).getUTCDay()
  const text = weekday === 0 ? hours.hoursSunday : weekday === 6 ? hours.hoursSaturday : hours.hoursWeekdays
  return text
    .split(', ')
    .filter((span) => span !== '')
    .map((span) => {
      const [start, end] = span.split('-').map(minuteOf) as [number, number]
      return { start: day + start * minuteMs, end: day + (end > start ? end : end + inDay) * minuteMs }
    })
}

function minuteOf(time: string): number {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return hour * 60 + minute
}
