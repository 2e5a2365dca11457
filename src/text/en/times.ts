import { plural } from '../plural.js'

const count = plural('en')

/** Spans of time, in words. */
export const times = {
  ago: (span: string) => `${span} ago`,
  /** Until when, as people say it, after “by”. */
  deadline: {
    today: {
      morning: 'this morning',
      afternoon: 'this afternoon',
      evening: 'this evening',
      night: 'tonight',
    },
    tomorrow: {
      morning: 'tomorrow morning',
      afternoon: 'tomorrow afternoon',
      evening: 'tomorrow evening',
      night: 'tomorrow night',
    },
    moment: (time: string) => time,
  },
  due: {
    left: (span: string) => `Due in ${span}`,
    over: (span: string) => `${span} overdue`,
  },
  span: {
    minutes: (n: number) => count(n, { one: '1 minute', other: `${n} minutes` }),
    hours: (n: number) => count(n, { one: '1 hour', other: `${n} hours` }),
    days: (n: number) => count(n, { one: '1 day', other: `${n} days` }),
  },
}
