import { describe, expect, it } from 'vitest'
import { hoursFrom, reachableAt } from '../../src/vocabulary/time/openingHours.js'

describe('hours as people write them', () => {
  it.each([
    ['08:00-17:00', '08:00-17:00'],
    ['8–17', '08:00-17:00'],
    ['8.30 to 12, 13h15 – 17h', '08:30-12:00, 13:15-17:00'],
    ['8:00 a 14:00; 16:00 a 20:00', '08:00-14:00, 16:00-20:00'],
    ['17:00-08:00', '17:00-08:00'],
    ['24h', '00:00-24:00'],
    ['24 horas', '00:00-24:00'],
    ['24/7', '00:00-24:00'],
    ['0-24', '00:00-24:00'],
    ['', ''],
  ])('%s is kept as %s', (text, kept) => {
    expect(hoursFrom(text)).toBe(kept)
    expect(hoursFrom(kept)).toBe(kept)
  })

  it.each(['always', '25-26', '8', '08:60-09:00', '8-17 and later', '24-8'])('%s is refused', (text) => {
    expect(hoursFrom(text)).toBeNull()
  })
})

describe('whether someone can be reached', () => {
  const zone = 'Europe/London'
  const office = { hoursWeekdays: '08:00-17:00', hoursSaturday: '', hoursSunday: '' }
  const nights = { hoursWeekdays: '17:00-08:00', hoursSaturday: '00:00-24:00', hoursSunday: '00:00-24:00' }
  const always = { hoursWeekdays: '00:00-24:00', hoursSaturday: '00:00-24:00', hoursSunday: '00:00-24:00' }
  const unknown = { hoursWeekdays: '', hoursSaturday: '', hoursSunday: '' }

  // 27 November 2026 is a Friday.
  it.each([
    ['the office on Friday at 11', office, '2026-11-27T11:00Z', true, '2026-11-27T17:00Z'],
    ['the office on Friday night', office, '2026-11-27T17:00Z', false, '2026-11-30T08:00Z'],
    ['the night line on Friday at 11', nights, '2026-11-27T11:00Z', false, '2026-11-27T17:00Z'],
    ['the night line on Sunday', nights, '2026-11-29T11:00Z', true, '2026-11-30T00:00Z'],
    ['the night line early on Tuesday', nights, '2026-12-01T07:59Z', true, '2026-12-01T08:00Z'],
    ['in summer, on the clock of the building', office, '2026-07-01T07:30Z', true, '2026-07-01T16:00Z'],
  ])('%s', (_, hours, now, isOpen, until) => {
    expect(reachableAt(hours, zone, Date.parse(now))).toEqual({ isOpen, until: Date.parse(until) })
  })

  it('is always so at all hours, and not known without hours', () => {
    expect(reachableAt(always, zone, Date.now())).toEqual({ isOpen: true, until: null })
    expect(reachableAt(unknown, zone, Date.now())).toEqual({ isOpen: null, until: null })
  })

  it('changes at most a minute late in an hour that the clock repeats', () => {
    const late = { ...unknown, hoursSunday: '00:00-01:30' }
    const now = Date.parse('2026-10-25T01:10Z')
    const { isOpen, until } = reachableAt(late, zone, now)
    expect(isOpen).toBe(true)
    expect(until).toBe(now + 60_000)
  })
})
