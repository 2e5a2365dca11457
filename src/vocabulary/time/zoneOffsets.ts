import { DAY } from './durations.js'

/**
 * A stretch of time [start, end) in epoch ms in which a zone keeps one offset, in ms east of UTC.
 */
export type Span = { start: number; end: number; offset: number }

type ZoneOffsets = { zone: Intl.DateTimeFormat; chunks: Map<number, readonly Span[]> }

const SECOND = 1000
// In ms. Since 1970 no zone kept an offset for less than 7 days (north-east Brazil, October 2000);
// a longer step could miss such a span.
const STEP = 6 * DAY
const CHUNK = 60 * STEP
const LAST_INSTANT = 8.64e15

// Reading the zone data takes microseconds, a lookup here nanoseconds; chunks are read on first
// use.
const known = new Map<string, ZoneOffsets>()

/**
 * The span of constant offset around an instant. A span ends at a clock change, or earlier. Throws
 * a RangeError for an unknown zone or an instant that is not a number.
 */
export function spanAt(zone: string, instant: number): Span {
  const spans = chunkAt(offsetsOf(zone), Math.floor(instant / CHUNK))
  for (let i = spans.length - 1; i >= 0; i--) {
    if (spans[i]!.start <= instant) return spans[i]!
  }
  throw new RangeError(`not an instant: ${instant}`)
}

/** The zone's clock at an instant, as the epoch ms at which a UTC clock reads the same. */
export function wallAt(zone: string, instant: number): number {
  return instant + spanAt(zone, instant).offset
}

/**
 * The instant (decision 3.4) at which the zone's clock reads `wall` (as in `wallAt`), the first of
 * two; if a clock change skips it, as much later as the clock was put forward (02:30 → 03:30).
 */
export function instantAt(zone: string, wall: number): number {
  return wall - spanOf(zone, wall).offset
}

/**
 * The first instant at which the zone's clock reads `wall` or, if that is skipped, anything later.
 */
export function reachedAt(zone: string, wall: number): number {
  const span = spanOf(zone, wall)
  return Math.min(wall - span.offset, span.end)
}

// The first span whose clock reads `wall`, else the last one before the change that skips it.
function spanOf(zone: string, wall: number): Span {
  let span = spanAt(zone, wall - DAY)
  while (wall - span.offset >= span.end) {
    const next = spanAt(zone, span.end)
    if (wall - next.offset < next.start) return span
    span = next
  }
  return span
}

function offsetsOf(name: string): ZoneOffsets {
  const found = known.get(name)
  if (found) return found
  // Node 24 reads `+02:00` as a zone, Node 20 does not: a building has the rules of a place.
  if (/^[+-]/.test(name)) throw new RangeError(`not a time zone: ${name}`)
  const zone = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
  const created = { zone, chunks: new Map() }
  known.set(name, created)
  return created
}

function chunkAt({ zone, chunks }: ZoneOffsets, index: number): readonly Span[] {
  const found = chunks.get(index)
  if (found) return found
  const spans = readSpans(zone, index * CHUNK, (index + 1) * CHUNK)
  chunks.set(index, spans)
  return spans
}

function readSpans(zone: Intl.DateTimeFormat, start: number, end: number): Span[] {
  const spans = [{ start, end, offset: readOffset(zone, start) }]
  for (let from = start; from < end; from += STEP) {
    addChanges(zone, spans, from, from + STEP)
  }
  return spans
}

function addChanges(zone: Intl.DateTimeFormat, spans: Span[], from: number, to: number): void {
  const arrived = readOffset(zone, to)
  for (let span = spans.at(-1)!; span.offset !== arrived; span = spans.at(-1)!) {
    const at = firstChange(zone, Math.max(from, span.start), to, span.offset)
    spans.push({ start: at, end: span.end, offset: readOffset(zone, at) })
    span.end = at
  }
}

// Bisects to the second: `offset` holds at `from` but no longer at `to`.
function firstChange(zone: Intl.DateTimeFormat, from: number, to: number, offset: number): number {
  let before = from
  let after = to
  while (after - before > SECOND) {
    const middle = before + Math.floor((after - before) / SECOND / 2) * SECOND
    if (readOffset(zone, middle) === offset) before = middle
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
