import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { isWithin, limitOf } from '../../../src/platform/http/protection/actCounters.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'

useHouse()

const limit = limitOf('follows', 1, 600)
const hour = 3_600_000

beforeEach(() => forgetCounts())
afterEach(() => vi.restoreAllMocks())

it.each([-hour, hour])(
  'counts in the periods of the database where the clock of a machine is %d ms off',
  async (error) => {
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now')
    expect(await isWithin(limit, 'site')).toBe(true)
    clock.mockReturnValue(now + error)
    // By its own clock, this machine would begin a new period, or one that has no end yet.
    expect(await isWithin(limit, 'site')).toBe(false)
    expect(await isWithin(limit, 'other site')).toBe(true)
    clock.mockReturnValue(now)
    const [counter] = await query<{ left: number }>(
      `select expire - epoch_ms(now()) as left from throttles where key = 'follows:other site'`,
    )
    expect(Math.abs(counter!.left - 600_000)).toBeLessThan(30_000)
  },
)
