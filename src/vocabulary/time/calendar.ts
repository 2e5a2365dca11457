import { limits } from '../limits.js'

/** In milliseconds. */
export const HOUR = 3_600_000

/** 24 elapsed hours in milliseconds; a calendar day may have 23 or 25 of them. */
export const DAY = 86_400_000

/** Seven times 24 elapsed hours in milliseconds. */
export const WEEK = 7 * DAY

const SECOND = 1000
// Since 1970 no zone kept an offset for less than 7 days (north-east Brazil, October 2000): what
// holds at both ends of a step holds throughout.
const STEP = 6 * DAY
const LAST_INSTANT = 8.64e15

/** A zone with its offset at every multiple of STEP asked for: reading one takes microseconds. */
type ZoneOffsets = { zone: Intl.DateTimeFormat; known: Map<number, number> }

const zones = new Map<string, ZoneOffsets>()

/** The zone's clock at an instant, as the epoch ms at which a UTC clock reads the same. */
export function wallAt(zone: string, instant: number): number {
  return instant + offsetAt(zone, instant)
}

/**
 * The instant (decision 3.4) at which the zone's clock reads `wall` (as in `wallAt`), the first of
 * two; if a clock change skips it, as much later as the clock was put forward (02:30 → 03:30).
 */
export function instantAt(zone: string, wall: number): number {
  const { earlier, later } = instantsFor(zone, wall)
  if (earlier === later || wallAt(zone, earlier) === wall) return earlier
  return wallAt(zone, later) === wall ? later : earlier
}

/** Whether the zone's clock reads twice what it reads at this instant: once before, once after. */
export function isRepeated(zone: string, instant: number): boolean {
  const wall = wallAt(zone, instant)
  const { earlier, later } = instantsFor(zone, wall)
  return earlier !== later && wallAt(zone, earlier) === wall && wallAt(zone, later) === wall
}

/** The first instant at which the zone's clock reads `wall` or, if that is skipped, later. */
function reachedAt(zone: string, wall: number): number {
  const at = instantAt(zone, wall)
  return wallAt(zone, at) === wall ? at : firstChange(zone, instantsFor(zone, wall).later, at)
}

/** When the clock reads `wall` by the offsets before and after any change around it. */
function instantsFor(zone: string, wall: number): { earlier: number; later: number } {
  return { earlier: wall - offsetAt(zone, wall - DAY), later: wall - offsetAt(zone, wall + DAY) }
}

/**
 * The zone's offset at an instant, in ms east of UTC. Throws a RangeError for an unknown zone or an
 * instant that is not a number.
 */
function offsetAt(name: string, instant: number): number {
  const offsets = offsetsOf(name)
  const step = Math.floor(instant / STEP)
  const offset = offsetAtStep(offsets, step)
  return offset === offsetAtStep(offsets, step + 1) ? offset : readOffset(offsets.zone, instant)
}

function offsetAtStep({ zone, known }: ZoneOffsets, step: number): number {
  const cached = known.get(step)
  if (cached !== undefined) return cached
  const offset = readOffset(zone, step * STEP)
  known.set(step, offset)
  return offset
}

function offsetsOf(name: string): ZoneOffsets {
  const cached = zones.get(name)
  if (cached) return cached
  // Node 24 reads `+02:00` as a zone, Node 20 does not: a building has the rules of a place.
  if (/^[+-]/.test(name)) throw new RangeError(`not a time zone: ${name}`)
  const zone = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
  const created = { zone, known: new Map() }
  zones.set(name, created)
  return created
}

/** The clock change between two instants, to the second: bisects. */
function firstChange(zone: string, from: number, to: number): number {
  const offset = offsetAt(zone, from)
  let [before, after] = [from, to]
  while (after - before > SECOND) {
    const middle = before + Math.floor((after - before) / SECOND / 2) * SECOND
    if (offsetAt(zone, middle) === offset) before = middle
    else after = middle
  }
  return after
}

function readOffset(zone: Intl.DateTimeFormat, instant: number): number {
  const within = Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, instant))
  // "11/22/2026, GMT+05:30"; seconds only where a zone has them, and GMT alone for none.
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(zone.format(within)) ?? []
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND
  return sign === '-' ? -offset : offset
}

/** A wall clock and calendar; month 1–12, 24-hour clock. */
type WallClock = {
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

const latestDays = new Map<string, Days>()

/** Whether this machine knows the IANA zone (`Europe/Berlin`); offsets and `local` are none. */
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
 * The last `count` local days with today (spec §8, decision 3.2), years 0 to 9999. A day starts
 * when its date is first reached; a skipped date has no length. `bounds[count - 1] <= now <
 * bounds[count]`.
 */
export function lastDays(zone: string, now: number, count: number): Days {
  const key = `${zone} ${count}`
  const cached = latestDays.get(key)
  if (cached && cached.bounds[count - 1]! <= now && now < cached.bounds[count]!) return cached
  const days = daysUpTo(zone, today(zone, now), count)
  latestDays.set(key, days)
  return days
}

/** The local days of a month (YYYY-MM, from 1970 on). */
export function daysOfMonth(zone: string, month: string): Days {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const first = Date.UTC(year, number - 1, 1) / DAY
  const next = Date.UTC(year, number, 1) / DAY
  return daysUpTo(zone, next - 1, next - first)
}

/**
 * The local days from one date (YYYY-MM-DD) to another, both included; null when that is none, or
 * more than `limits.storyDays`.
 */
export function daysBetween(zone: string, from: string, to: string): Days | null {
  const [first, last] = [Date.parse(from) / DAY, Date.parse(to) / DAY]
  const count = last - first + 1
  return count < 1 || count > limits.storyDays ? null : daysUpTo(zone, last, count)
}

/** The month (YYYY-MM) `count` months after this one; before it when negative. */
export function monthsAfter(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

/** The instant (epoch ms) of a wall time; of a skipped or repeated one by decision 3.4. */
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
  return dateText(wallAt(zone, instant))
}

/** The date (YYYY-MM-DD) of a wall time, as in `wallAt`; years 0 to 9999. */
export const dateText = (wall: number) => new Date(wall).toISOString().slice(0, 10)

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
    if (day <= last) dates.push(dateText(day * DAY))
  }
  return Object.freeze({ dates: Object.freeze(dates), bounds: Object.freeze(bounds) })
}

/** IANA zone names to choose from, in alphabetical order. Older names are accepted as well. */
export const zoneNames: readonly string[] = [...Intl.supportedValuesOf('timeZone'), 'UTC']

const spellingByLowerCase = new Map(zoneNames.map((name) => [name.toLowerCase(), name]))

/** The IANA spelling of a zone name typed in any case; null when there is none. */
export function zoneNamed(text: string): string | null {
  const known = spellingByLowerCase.get(text.toLowerCase())
  if (known) return known
  return isZone(text) ? text : null
}
