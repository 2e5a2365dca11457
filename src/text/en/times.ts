import { plural } from '../plural.js'

const count = plural('en')

/** Spans of time, in words. */
export const times = {
  ago: (span: string) => `${span} ago`,
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
