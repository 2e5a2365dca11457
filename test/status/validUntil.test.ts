import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AssetTimes, assetHistory } from '../../src/status/rules/uptime.js'
import { DAY, HOUR, lastDays } from '../../src/vocabulary/time/calendar.js'
import { occurrences } from '../../src/vocabulary/time/recurrence.js'
import { perRun } from '../support/run/extent.js'
import { ago, assetTimes, now } from './assetTimes.js'

const zone = 'Europe/Berlin'

describe('validUntil', () => {
  const history = (some: Partial<AssetTimes>, instant = now) =>
    assetHistory(assetTimes(some), lastDays(zone, instant, 90), instant)
  const midnight = Date.parse('2026-05-15T22:00:00Z')

  it.each([
    ['the next midnight when nothing happens', {}, midnight],
    [
      'the next midnight with old incidents inside the window',
      { downtime: [ago(9 * DAY, 8 * DAY)], degraded: [ago(HOUR)] },
      midnight,
    ],
    [
      'the next midnight with windows that leave a full uptime',
      { maintenance: [ago(30 * DAY - HOUR, 29 * DAY)] },
      midnight,
    ],
    [
      'the next midnight when what comes has no length',
      { degraded: [ago(-HOUR, -HOUR), ago(-2 * HOUR, -HOUR)] },
      midnight,
    ],
    [
      'the start of the next window',
      { maintenance: [ago(-HOUR, -2 * HOUR), ago(-DAY, -2 * DAY)] },
      now + HOUR,
    ],
    ['the end of a window in progress', { maintenance: [ago(HOUR, -2 * HOUR)] }, now + 2 * HOUR],
    ['the first millisecond that costs a hundredth', { downtime: [ago(0)] }, now + 1],
    ['the first millisecond past half a hundredth', { downtime: [ago(388_800)] }, now + 1],
    ['a millisecond later', { downtime: [ago(388_799)] }, now + 2],
    ['the hundredth that 30 days give back', { downtime: [ago(31 * DAY, 30 * DAY - HOUR)] }, now + 100_800],
    [
      'the moment from which on 30 days are recorded',
      { downtime: [ago(20 * DAY, 19 * DAY + 23 * HOUR)], recordedSince: now + HOUR - 30 * DAY },
      now + HOUR,
    ],
    ['a start that 30 days come upon', { downtime: [ago(30 * DAY - HOUR, 29 * DAY)] }, now + HOUR],
  ])('is %s', (_, some, expected) => {
    expect(history(some).validUntil).toBe(expected)
  })

  it('comes about every four minutes while an asset is down', () => {
    const first = history({ downtime: [ago(10 * DAY)] }).validUntil
    const second = history({ downtime: [ago(10 * DAY)] }, first).validUntil
    expect(second - first).toBe(259_200)
  })

  // Moments crowd where it matters: around now and around both far edges.
  const near = fc.oneof(
    fc.integer({ min: -5, max: 5 }),
    fc.integer({ min: -HOUR, max: HOUR }),
    fc.integer({ min: -DAY, max: DAY }),
  )
  const moment = fc.oneof(
    fc.tuple(fc.constantFrom(0, 30 * DAY, 90 * DAY), near).map(([edge, offset]) => edge + offset),
    fc.integer({ min: -DAY, max: 95 * DAY }),
  )
  const interval = fc.oneof(
    fc.tuple(moment, moment).map(([a, b]) => ago(Math.max(a, b), Math.min(a, b))),
    fc.tuple(moment, fc.integer({ min: 1, max: HOUR })).map(([a, length]) => ago(a, a - length)),
    moment.map((a) => ago(a)),
  )
  const intervals = fc.array(interval, { maxLength: 4 })
  const weekly = fc
    .tuple(moment, fc.integer({ min: 1, max: 30 }))
    .map(([start, hours]) =>
      occurrences(
        { startsAt: now - start, endsAt: now - start + hours * HOUR, recurrence: 'weekly' },
        zone,
        now - 92 * DAY,
        now + 30 * DAY,
      ),
    )
  const anyTimes = fc.record({
    downtime: intervals,
    degraded: intervals,
    maintenance: fc.oneof(intervals, weekly),
    recordedSince: fc.oneof(
      fc.constant(-Infinity),
      moment.map((before) => now - Math.abs(before)),
    ),
  })

  it('is after now, and until then nothing changes', () => {
    fc.assert(
      fc.property(
        anyTimes,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
        (given, shares) => {
          const { validUntil, ...shown } = history(given)
          expect(validUntil).toBeGreaterThan(now)
          const later = shares.map((share) => now + Math.floor((validUntil - 1 - now) * share))
          for (const instant of [...later, validUntil - 1]) expect(shownAt(given, instant)).toEqual(shown)
        },
      ),
      { numRuns: perRun({ quick: 200, whole: 1000 }) },
    )
  })

  it('is not early: then a day begins or something changes, starts, ends or leaves a window', () => {
    fc.assert(
      fc.property(anyTimes, (given) => {
        const { validUntil, ...shown } = history(given)
        const spans = [given.downtime, given.degraded, given.maintenance].flat()
        const events = [given.recordedSince, ...spans.flatMap(({ start, end }) => [start, end])]
        const expected = [0, 30 * DAY, 90 * DAY].some((edge) => events.includes(validUntil - edge))
        if (!expected && validUntil !== midnight) expect(shownAt(given, validUntil)).not.toEqual(shown)
      }),
      { numRuns: perRun({ quick: 200, whole: 1000 }) },
    )
  })

  function shownAt(given: AssetTimes, instant: number) {
    const { validUntil: _, ...shown } = history(given, instant)
    return shown
  }
})
