import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countedIntervals, downtimeOver, percent, uptimeOver } from '../../src/status/rules/uptime.js'
import { DAY, HOUR } from '../../src/vocabulary/time/calendar.js'
import type { Interval } from '../../src/vocabulary/time/intervals.js'
import { perRun } from '../support/run/extent.js'
import { ago, now } from './assetTimes.js'

const MINUTE = 60_000
const uptime30 = (downtime: Interval[], maintenance: Interval[] = []) =>
  uptimeOver(countedIntervals(downtime, maintenance), now, 30)

it('percent writes every value with two decimals and none twice', () => {
  const texts = Array.from({ length: 10_001 }, (_, i) => percent(i))
  expect(texts.every((text, i) => /^\d{1,3}\.\d\d$/.test(text) && Math.round(Number(text) * 100) === i)).toBe(
    true,
  )
})

describe('uptimeOver', () => {
  it.each([
    ['nothing happened', [], [], 10_000],
    ['down for all of it', [ago(40 * DAY)], [], 0],
    ['one hour of 720, to the nearest', [ago(2 * HOUR, HOUR)], [], 9986],
    ['one millisecond', [ago(2, 1)], [], 9999],
    ['all but one millisecond', [ago(30 * DAY, 1)], [], 1],
    ['exactly a hundredth', [ago(DAY + 259_200, DAY)], [], 9999],
    ['half a hundredth more, which is the nearest still', [ago(DAY + 388_800, DAY)], [], 9999],
    ['a millisecond more than that', [ago(DAY + 388_801, DAY)], [], 9998],
    ['less than half a hundredth', [ago(DAY + 1000, DAY)], [], 9999],
    ['beginning now', [ago(0)], [], 10_000],
    ['maintenance all the time', [ago(5 * DAY)], [ago(40 * DAY, -DAY)], 10_000],
    ['maintenance all but a millisecond of downtime', [ago(5 * DAY)], [ago(40 * DAY, 1)], 0],
  ])('%s', (_, downtime, maintenance, expected) => {
    expect(uptime30(downtime, maintenance)).toBe(expected)
  })

  it.each([
    ['longer than the window: all of the window', 31 * DAY, [ago(2 * HOUR, HOUR)], 9986],
    ['ten hours, one of them down', 10 * HOUR, [ago(2 * HOUR, HOUR)], 9000],
    ['less than the downtime: what of it is recorded', HOUR, [ago(2 * HOUR, HOUR / 2)], 5000],
    ['since this moment', 0, [], 10_000],
    ['from later on, after a clock that went back', -HOUR, [], 10_000],
  ])('recorded %s', (_, recorded, downtime, expected) => {
    expect(uptimeOver(countedIntervals(downtime, [], now - recorded), now, 30)).toBe(expected)
  })

  const quarter = fc.integer({ min: -8, max: 104 })
  const cell = 15 * MINUTE
  const onGrid = fc
    .record({ start: quarter, end: fc.oneof(quarter, fc.constant(Infinity)) })
    .map(({ start, end }) => ago(start * cell, Number.isFinite(end) ? end * cell : -Infinity))
  const some = fc.array(onGrid, { maxLength: 6 })

  // Of the 96 quarters of an hour of the last day: how many count at all, and how
  // many of those were down.
  function countCells(downtime: readonly Interval[], maintenance: readonly Interval[]) {
    const cells = Array.from({ length: 96 }, (_, i) => now - (i + 1) * cell)
    const inside = (list: readonly Interval[], t: number) =>
      list.some(({ start, end }) => start <= t && t < end)
    const counted = cells.filter((t) => !inside(maintenance, t))
    return { counted: counted.length, down: counted.filter((t) => inside(downtime, t)).length }
  }

  it('and downtimeOver equal a count of quarters of an hour', () => {
    fc.assert(
      fc.property(some, some, (downtime, maintenance) => {
        const { counted, down } = countCells(downtime, maintenance)
        const nearest = counted === 0 ? 10_000 : Math.round(((counted - down) * 10_000) / counted)
        const expected = down === 0 || down === counted ? nearest : Math.max(1, Math.min(9_999, nearest))
        expect(uptimeOver(countedIntervals(downtime, maintenance), now, 1)).toBe(expected)
        expect(downtimeOver({ downtime, maintenance }, now, 1)).toBe(down * cell)
      }),
      { numRuns: perRun({ quick: 100, whole: 500 }) },
    )
  })

  it('is exact over a year: the remainder decides, however small', () => {
    const half = (1.5 * 365 * DAY) / 10_000
    expect(uptimeOver(countedIntervals([ago(half, 0)], []), now, 365)).toBe(9999)
    expect(uptimeOver(countedIntervals([ago(half + 1, 0)], []), now, 365)).toBe(9998)
  })
})

it('downtimeOver is the downtime of the window outside maintenance, in milliseconds', () => {
  const downtime = [ago(400 * DAY, 364 * DAY), ago(10 * DAY, 9 * DAY), ago(9.5 * DAY, 8 * DAY), ago(HOUR)]
  const maintenance = [ago(10 * DAY, 9.5 * DAY)]
  expect(downtimeOver({ downtime, maintenance }, now, 365)).toBe(DAY + 1.5 * DAY + HOUR)
})
