import { expect, it } from 'vitest'
import { startingToday } from '../../src/maintenance/startingToday.js'
import { DAY, HOUR } from '../../src/vocabulary/time/calendar.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const zone = 'Etc/UTC'
const midnight = Date.parse('2036-05-06T00:00:00Z')

it.each([
  ['once', 'none', midnight],
  ['every week, for the first time', 'weekly', midnight],
  ['every week, for the third time', 'weekly', midnight - 14 * DAY],
] as const)('work that is planned %s starts today until it ends', async (_, recurrence, day) => {
  const assetId = await house.lift()
  const times = { startsAt: day + 6 * HOUR, endsAt: day + 7 * HOUR }
  const id = await house.window({
    assetId,
    recurrence,
    startsAt: new Date(times.startsAt),
    endsAt: new Date(times.endsAt),
  })
  const isListedAt = async (hours: number) => {
    const windows = await startingToday(zone, midnight + hours * HOUR)
    return windows.some((window) => window.id === id)
  }
  expect(await isListedAt(-1)).toBe(false)
  expect(await isListedAt(5)).toBe(true)
  expect(await isListedAt(6.5)).toBe(true)
  expect(await isListedAt(10)).toBe(false)
})
