import { describe, expect, it } from 'vitest'
import { assetState } from '../../src/status/present/assetState.js'
import { presentState } from '../../src/status/present/statusPage.js'
import type { Impact, ImpactSpan } from '../../src/vocabulary/assetStatus.js'
import { lastDays } from '../../src/vocabulary/time/calendar.js'

describe('planned work in progress', () => {
  const overlapping: Times[] = [
    ['08:00', '10:00'],
    ['09:00', '12:00'],
    ['14:00', '15:00'],
  ]

  it('ends when the last work without a gap ends, and began with the first', () => {
    expect(rowAt('09:30', overlapping)).toEqual(['maintenance', '08:00', '12:00'])
    expect(rowAt('11:00', overlapping)).toEqual(['maintenance', '08:00', '12:00'])
    expect(rowAt('14:30', overlapping)).toEqual(['maintenance', '14:00', '15:00'])
    expect(rowAt('13:00', overlapping)).toEqual(['operational', undefined, undefined])
  })

  it('is the state since the last problem during the work ended', () => {
    const impacts: Impacts = [
      ['down', '08:30', '09:15'],
      ['degraded', '09:00', '09:20'],
    ]
    expect(rowAt('09:30', overlapping, impacts)).toEqual(['maintenance', '09:20', '12:00'])
    expect(rowAt('09:30', overlapping, [['down', '06:00', '07:00']])).toEqual([
      'maintenance',
      '08:00',
      '12:00',
    ])
  })
})

const zone = 'Europe/London'

/** A moment of the day of the test, such as 09:30. */
const at = (time: string) => Date.parse(`2026-01-20T${time}:00Z`)

type Times = [from: string, to: string]

type Impacts = [impact: Impact, ...Times][]

/** The row of an asset with this planned work and these past impacts, as it is shown at a time. */
function rowAt(time: string, work: Times[], impacts: Impacts = []) {
  const now = at(time)
  const windows = work.map(([from, to], i) => ({
    id: i + 1,
    assetId: 1,
    title: 'Lift check',
    startsAt: at(from),
    endsAt: at(to),
    recurrence: 'none' as const,
    until: null,
    exceptions: [],
    knownSince: 0,
  }))
  const spans = impacts.map(([impact, from, to]): ImpactSpan => ({ impact, start: at(from), end: at(to) }))
  const asset = {
    id: 1,
    name: 'Lift',
    category: 'Lift',
    towerId: 1,
    towerName: 'North',
    createdAt: 0,
    recordedSince: 0,
  }
  const frame = { zone, days: lastDays(zone, now, 90), now }
  const { status, since, until } = presentState(
    assetState(asset, { impacts: spans, incidents: [], windows, usualRepair: null }, frame),
  )
  return [status, since?.slice(11, 16), until?.slice(11, 16)]
}
