import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AssetTimes, assetHistory } from '../../src/status/rules/uptime.js'
import { assetStatuses } from '../../src/vocabulary/assetStatus.js'
import { DAY, HOUR, lastDays } from '../../src/vocabulary/time/calendar.js'
import type { Interval } from '../../src/vocabulary/time/intervals.js'
import { perRun } from '../support/run/extent.js'
import { ago, assetTimes, now } from './assetTimes.js'

const MINUTE = 60_000
const zone = 'Europe/Berlin'

describe('the days of a history', () => {
  const colours = (some: Partial<AssetTimes>, instant = now, count = 90) =>
    [...assetHistory(assetTimes(some), lastDays(zone, instant, count), instant).days].map(
      (byte) => assetStatuses[byte],
    )
  const last = (some: Partial<AssetTimes>, instant = now) => colours(some, instant).slice(-3)

  it('are 90 operational days when nothing happened', () => {
    expect(colours({})).toEqual(Array(90).fill('operational'))
  })

  it.each([
    ['maintenance', { maintenance: [ago(HOUR)] }, 'maintenance'],
    ['degraded over maintenance', { maintenance: [ago(HOUR)], degraded: [ago(HOUR)] }, 'degraded'],
    ['down over degraded', { downtime: [ago(2, 1)], degraded: [ago(9 * HOUR)] }, 'down'],
    [
      'down under maintenance is down all the same',
      { downtime: [ago(2, 1)], maintenance: [ago(9 * HOUR)] },
      'down',
    ],
    ['what begins now', { degraded: [ago(0)] }, 'degraded'],
    [
      'not what begins after now',
      { degraded: [ago(-1)], maintenance: [ago(-HOUR, -2 * HOUR)] },
      'operational',
    ],
    ['not what has no length', { downtime: [ago(HOUR, HOUR)], degraded: [ago(1, 2)] }, 'operational'],
  ] as const)('show the worst of today: %s', (_, some, status) => {
    expect(last(some)).toEqual(['operational', 'operational', status])
  })

  it('hold an interval on each day it touches, and on no day it only borders', () => {
    const midnight = Date.parse('2026-05-14T22:00:00Z')
    const lastOf = (start: number, end: number, instant = now) =>
      last({ downtime: [{ start, end }] }, instant)
        .map((status) => (status === 'down' ? 'X' : '-'))
        .join('')
    expect(lastOf(midnight - 1, midnight)).toBe('-X-')
    expect(lastOf(midnight - DAY, midnight)).toBe('-X-')
    expect(lastOf(midnight - 1, midnight + 1)).toBe('-XX')
    expect(lastOf(midnight, midnight + 1)).toBe('--X')
    expect(lastOf(midnight, Infinity, midnight)).toBe('--X')
    expect(lastOf(midnight, Infinity, midnight - 1)).toBe('---')
  })

  it('begin with what has been open for years', () => {
    expect(colours({ degraded: [ago(2000 * DAY)] })).toEqual(Array(90).fill('degraded'))
    expect(colours({ degraded: [ago(2000 * DAY, 88 * DAY)] }).slice(0, 4)).toEqual([
      'degraded',
      'degraded',
      'operational',
      'operational',
    ])
    expect(colours({ degraded: [ago(2000 * DAY, 91 * DAY)] })[0]).toBe('operational')
  })

  it('leave a date without length as it is', () => {
    const change = Date.parse('2011-12-30T10:00:00Z')
    const days = lastDays('Pacific/Apia', change + HOUR, 3)
    const downtime = [{ start: change - HOUR, end: change + HOUR }]
    expect([...assetHistory(assetTimes({ downtime }), days, change + HOUR).days]).toEqual([3, 0, 3])
  })

  it('equal a reading of every minute', () => {
    const places = [
      ['Europe/Berlin', '2026-03-31T09:17:00Z'],
      ['Europe/Berlin', '2026-10-26T23:00:00Z'],
      ['America/Santiago', '2024-09-10T03:59:00Z'],
      ['Africa/Cairo', '2024-11-02T13:00:00Z'],
      ['Australia/Lord_Howe', '2025-10-06T18:44:00Z'],
    ] as const
    const minute = fc.integer({ min: -600, max: 7 * 1440 })
    const intervals = fc.array(
      fc.tuple(minute, fc.oneof({ weight: 4, arbitrary: minute }, fc.constant(-Infinity))),
      { maxLength: 4 },
    )
    const minutesOf = new Map(
      places.map(([place, instant]) => [place + instant, localMinutes(place, Date.parse(instant), 5)]),
    )
    fc.assert(
      fc.property(fc.constantFrom(...places), intervals, intervals, intervals, ([place, text], ...lists) => {
        const instant = Date.parse(text)
        const [downtime, degraded, maintenance] = lists.map((list) =>
          list.map(([start, end]) => ({ start: instant - start * MINUTE, end: instant - end * MINUTE })),
        ) as [Interval[], Interval[], Interval[]]
        const found = assetHistory(
          assetTimes({ downtime, degraded, maintenance }),
          lastDays(place, instant, 5),
          instant,
        ).days
        expect([...found]).toEqual(
          worstPerDate(minutesOf.get(place + text)!, [maintenance, degraded, downtime]),
        )
      }),
      { numRuns: perRun({ quick: 30, whole: 150 }) },
    )
  })
})

// Every minute of the last `count` dates up to and including now, by the runtime's own calendar.
function localMinutes(place: string, instant: number, count: number): { date: string; minute: number }[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: place })
  const minutes = Array.from(
    { length: (count + 1) * 1440 },
    (_, i) => instant - ((count + 1) * 1440 - 1 - i) * MINUTE,
  )
  const dated = minutes.map((minute) => ({ date: format.format(minute), minute }))
  const dates = [...new Set(dated.map(({ date }) => date))].slice(-count)
  return dated.filter(({ date }) => dates.includes(date))
}

function worstPerDate(minutes: { date: string; minute: number }[], rising: Interval[][]): number[] {
  const worst = new Map<string, number>()
  for (const { date, minute } of minutes) {
    const value =
      1 + rising.findLastIndex((list) => list.some(({ start, end }) => start <= minute && minute < end))
    worst.set(date, Math.max(worst.get(date) ?? 0, value))
  }
  return [...worst.values()]
}
