import { query } from '../../../src/platform/db/database.js'

const hourIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format()

/**
 * Moves the building to where it is noon, and returns the name of that zone: today and this
 * month end half a day after the test there, whenever it runs. To be called before anything
 * is asked of the building.
 */
export async function moveToNoon(): Promise<string> {
  const zone = Intl.supportedValuesOf('timeZone').find((name) => hourIn(name) === '12')!
  await query('update properties set timezone = $1', [zone])
  return zone
}
