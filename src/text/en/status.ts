import { plural } from '../plural.js'

const count = plural('en')

/** The status page. */
export const statusPage = {
  title: 'Status',
  headline: {
    operational: () => 'Everything is working',
    maintenance: (n: number, name: string) =>
      n === 1 ? `${name}: planned work under way` : `${n} items closed for planned work`,
    degraded: (n: number, name: string) =>
      n === 1 ? `${name} is partly working` : `${n} items are partly working`,
    down: (n: number, name: string) =>
      n === 1 ? `${name} is out of service` : `${n} items are out of service`,
  },
  empty: 'Nothing set up yet',
  emptyHint: 'The building office hasn’t added any lifts, doors or other equipment yet.',
  summary: (working: number, total: number) => `${working} of ${total} working`,
  problems: 'Current problems',
  noProblemsNow: 'No problems.',
  unconfirmed: {
    unusable: 'Reported as out of service. Not confirmed yet.',
    faulty: 'Reported as not working properly. Not confirmed yet.',
  },
  confirm: 'Confirm for the office',
  incidents: 'Other open reports',
  more: (n: number) => `${n} more`,
  everyWeek: (time: string) => `weekly, next ${time}`,
  everyMonth: (time: string) => `monthly, next ${time}`,
  history: 'History by month',
  noUpcoming: 'No planned work in the next 30 days.',
  lastKnown: (minutes: number) =>
    minutes === 0
      ? 'We can’t check right now. This was the status less than a minute ago.'
      : count(minutes, {
          one: 'We can’t check right now. This was the status 1 minute ago.',
          other: `We can’t check right now. This was the status ${minutes} minutes ago.`,
        }),
  since: (time: string) => `since ${time}`,
  until: (time: string) => `until ${time}`,
  uptime: (percent: string) => `in service ${percent}% of the time`,
  badDays: (n: number, of: number) =>
    n === 0
      ? `No bad days in ${of}`
      : count(n, { one: `1 bad day in ${of}`, other: `${n} bad days in ${of}` }),
  partly: '(partly working)',
  recordedSince: (date: string) => `Recorded since ${date}`,
  recordedToday: 'Recorded since today',
  notRecorded: 'Not recorded',
  instead: (names: string, n: number) => (n === 1 ? `${names} is working.` : `${names} are working.`),
  insteadMany: (n: number) => `${n} others of this kind are working.`,
  usually: {
    hours: (n: number) =>
      count(n, { one: 'Usually repaired within an hour.', other: `Usually repaired within ${n} hours.` }),
    days: (n: number) =>
      count(n, { one: 'Usually repaired within a day.', other: `Usually repaired within ${n} days.` }),
  },
  rule: 'Planned work and “Partly working” count as in service.',
  legendText: (from: string) => `One bar per day since ${from}: the taller, the worse.`,
  refresh: 'Reload the page to update it.',
}

/** The list of equipment. */
export const equipmentPage = {
  title: 'All equipment',
  search: 'Search by name',
  send: 'Find equipment',
  troubled: 'Not working properly',
  found: (n: number) => count(n, { one: '1 found', other: `${n} found` }),
  none: 'Nothing found. Check the spelling, or search for part of the name.',
  all: 'Show all',
  towers: 'Towers',
}

/** What happened to an asset on some days. */
export const daysPage = {
  title: (name: string, days: string) => `${name}: ${days}`,
  nothing: 'No problems and no planned work on this day.',
  nothingInDays: 'No problems and no planned work on these days.',
  happened: 'What happened',
  earlier: (days: string) => `Earlier: ${days}`,
  later: (days: string) => `Later: ${days}`,
  back: (name: string) => `All about ${name}`,
  others: 'Other bad days',
}

/** What a phone shows without a connection. */
export const offlinePage = {
  title: 'You’re offline',
  text: 'We couldn’t load this page. Try again when you’re back online.',
  statusAt: (time: string) => `You’re offline. This status is from ${time}.`,
  pageAt: (time: string) => `You’re offline. This page is from ${time} and may be out of date.`,
  home: 'See the last known status',
  seen: 'Pages you can read offline',
  news: 'There’s an update on something you follow.',
  /** A form that is never sent later. */
  unsent: {
    title: 'Not sent: you’re offline',
    kept: 'We’ve kept what you typed on this page:',
    withoutFiles: 'Photos and files aren’t kept. To send them, go back to the form.',
    goBack: 'Go back to the form, and send it again when you’re online.',
    signedIn: 'You’re still signed in. We’ve deleted the pages you could read offline.',
    again: 'Try again',
  },
}

/** The history of a month. */
export const historyPage = {
  menu: 'History',
  title: (month: string) => `History: ${month}`,
  months: 'Months',
  never: 'No outages',
  hours: (n: number, figure: string) =>
    count(n, { one: `Out of service: ${figure} hour`, other: `Out of service: ${figure} hours` }),
}

/** What feed readers, calendars and badges show. */
export const feeds = {
  news: (name: string) => `Status of ${name}`,
  planned: (name: string) => `Planned work: ${name}`,
  cancelled: (title: string) => `Cancelled: ${title}`,
  outage: { down: 'Out of service', degraded: 'Partly working' },
  since: (from: string) => `since ${from}`,
  lastKnown: (minutes: number) =>
    minutes === 0
      ? 'We can’t check right now. This was known less than a minute ago.'
      : count(minutes, {
          one: 'We can’t check right now. This was known 1 minute ago.',
          other: `We can’t check right now. This was known ${minutes} minutes ago.`,
        }),
  minutesAgo: (minutes: number) => (minutes === 0 ? '< 1 min ago' : `${minutes} min ago`),
  newsLink: 'Updates (Atom feed)',
  calendarLink: 'Planned work calendar (.ics)',
}

/** The status in a frame on another website. */
export const embed = { open: 'Open the status page' }

/** The screen in the lobby. */
export const display = {
  turn: (n: number, all: number) => `page ${n} of ${all}`,
  today: 'Planned work today',
  noWork: 'None.',
  scan: 'Scan to report a problem',
  code: (address: string) => `QR code that opens ${address}/report`,
  orType: 'Or go to',
  asOf: 'Updated',
  stale: (time: string) => `Not updated since ${time}. Information may be out of date.`,
  lastKnown: (time: string) => `We can’t check right now. This status is from ${time}.`,
}

/** The year of the building, for its board. */
export const year = {
  title: (year: string) => `Annual report ${year}`,
  soFar: (date: string) => `To ${date}, compared with the same period last year.`,
  whole: 'Compared with the year before.',
  noYearBeforePart: (date: string) => `To ${date}. No data for last year.`,
  noYearBefore: 'No data for the year before.',
  years: 'Years',
  worst: (listed: number, all: number) =>
    `These are the ${listed} assets with the most hours out of service. The CSV file has all ${all}.`,
  assets: 'Assets',
  second: (year: string) => `Second line: ${year}`,
  recordedSince: (date: string) => `Recorded since ${date}`,
  asset: 'Asset',
  uptime: 'Uptime',
  outages: 'Outages',
  hours: 'Hours out of service',
  cost: 'Cost',
  repeats: 'Repeat faults',
  reports: 'Reports',
  toAnswer: 'Hours to acknowledge',
  toRepair: 'Hours to repair',
  confirmed: 'Repairs confirmed',
  of: (part: string, all: string) => `${part} of ${all}`,
  none: '–',
  noFigure: 'no figure',
  total: 'Whole building',
  elsewhere: 'Flats and unassigned',
  months: 'Months',
  month: 'Month',
  downtimeChart: (sum: string, month: string, most: string) =>
    `Hours out of service: ${sum} in total. Highest in ${month}: ${most}.`,
  costChart: (sum: string, month: string, most: string) =>
    `Cost: ${sum} in total. Highest in ${month}: ${most}.`,
  legend: (year: string, before: string) => `Filled bars: ${year}. Outlined bars: ${before}.`,
  noDowntime: 'No outages.',
  noCosts: 'No repair costs.',
  meaning: 'What the figures mean',
  means: {
    uptime:
      'Uptime: time in service, excluding planned work. Assets added or removed during the year count only for the time they were in use.',
    outages: 'Outages: periods out of service. Several reports of one outage count once.',
    repeats: 'Repeat faults: outages within 30 days of a repair.',
    reports: 'Reports: made in the year, without duplicates.',
    toAnswer:
      'Hours to acknowledge: median time from report to acknowledgement. Reports that are still waiting count as the longest. If that’s most of them, there’s no figure.',
    toRepair: 'Hours to repair: median time from report to repair, worked out in the same way.',
    confirmed: 'Repairs confirmed: how many of these repairs a resident confirmed.',
    cost: 'Cost: repair costs dated in the year.',
  },
}
