import { DAY } from './durations.js'
import { instantAt, reachedAt, wallAt } from './zoneOffsets.js'

/** A wall clock and calendar; month 1–12, 24-hour clock. */
export type WallClock = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
}

/**
 * Consecutive local dates (YYYY-MM-DD), oldest first, and their bounds in epoch ms: `dates[i]`
 * lasts from `bounds[i]` to `bounds[i + 1]`. Shared and frozen.
 */
export type Days = { readonly dates: readonly string[]; readonly bounds: readonly number[] }

// The zone data also knows bare abbreviations such as PST and IST, which other programs read
// differently.
const ABBREVIATIONS = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '))

const latest = new Map<string, Days>()

/**
 * Whether this machine knows the IANA zone (`Europe/Berlin`, `UTC`); offsets and `local` are not
 * zones.
 */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.startsWith('SystemV/')) return false
  if (/^[A-Za-z]{3}$/.test(name) && !ABBREVIATIONS.has(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * The last `count` local days with today (spec §8, decision 3.2), years 0 to 9999. A day begins
 * when its date is first reached; a skipped date has no length. `bounds[count - 1] <= now <
 * bounds[count]`.
 */
export function lastDays(zone: string, now: number, count: number): Days {
  const key = `${zone} ${count}`
  const cached = latest.get(key)
  if (cached && cached.bounds[count - 1]! <= now && now < cached.bounds[count]!) return cached
  const days = daysUpTo(zone, today(zone, now), count)
  latest.set(key, days)
  return days
}

/** The local days of a month (YYYY-MM, from 1970 on). */
export function daysOfMonth(zone: string, month: string): Days {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const first = Date.UTC(year, number - 1, 1) / DAY
  const next = Date.UTC(year, number, 1) / DAY
  return daysUpTo(zone, next - 1, next - first)
}

/** The month (YYYY-MM) `count` months after this one; before it when negative. */
export function monthsAfter(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

/**
 * The instant (epoch ms) of a wall time; decision 3.4 for times that a clock change skips or
 * repeats.
 */
export function instantOf(
  zone: string,
  wall: Omit<WallClock, 'second' | 'millisecond'> & { second?: number; millisecond?: number },
): number {
  const { year, month, day, hour, minute, second = 0, millisecond = 0 } = wall
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day)
  return instantAt(zone, midnight + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond)
}

/** The zone's wall clock at an instant (epoch ms). */
export function wallClock(zone: string, instant: number): WallClock {
  const wall = new Date(wallAt(zone, instant))
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
    millisecond: wall.getUTCMilliseconds(),
  }
}

/** The zone's date (YYYY-MM-DD) at an instant (epoch ms); years 0 to 9999. */
export function dateIn(zone: string, instant: number): string {
  return dateOf(Math.floor(wallAt(zone, instant) / DAY))
}

// Days are numbered from 1970-01-01 = 0. A clock set back over midnight shows yesterday again:
// today stays.
function today(zone: string, now: number): number {
  let day = Math.floor(wallAt(zone, now) / DAY)
  while (reachedAt(zone, (day + 1) * DAY) <= now) day++
  return day
}

function daysUpTo(zone: string, last: number, count: number): Days {
  const dates: string[] = []
  const bounds: number[] = []
  for (let day = last - count + 1; day <= last + 1; day++) {
    bounds.push(reachedAt(zone, day * DAY))
    if (day <= last) dates.push(dateOf(day))
  }
  return Object.freeze({ dates: Object.freeze(dates), bounds: Object.freeze(bounds) })
}

// Three times as fast as cutting toISOString.
function dateOf(day: number): string {
  const date = new Date(day * DAY)
  const year = `${date.getUTCFullYear()}`.padStart(4, '0')
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}
