import { demoProperty, localTime } from '../../../src/demo/directory.js'

const weekday = new Intl.DateTimeFormat('en', { timeZone: demoProperty.timezone, weekday: 'short' })

/** The last time that it was `Tue 14:00` where the building is. Throws for any other text. */
export function momentNamed(text: string): Date {
  const [, day, clock] = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d\d:\d\d)$/.exec(text) ?? []
  const now = Date.now()
  const moment = [0, -1, -2, -3, -4, -5, -6, -7]
    .map((days) => localTime(now, days, clock ?? ''))
    .find((at) => at < now && weekday.format(at) === day)
  if (moment === undefined) throw new Error(`${text} is no day of the week with a time, such as Tue 14:00`)
  return new Date(moment)
}
