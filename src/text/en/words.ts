import { plural } from '../plural.js'

const count = plural('en')

const named = (names: string[], more: number) => names.join(', ') + (more > 0 ? ` and ${more} more` : '')

/** Words used everywhere: states, severities, units of time. */
export const words = {
  assetStatus: {
    operational: 'Working',
    degraded: 'Working with problems',
    down: 'Out of service',
    maintenance: 'Planned work',
  },
  status: {
    open: 'Reported',
    acknowledged: 'Seen by the office',
    in_progress: 'Being worked on',
    resolved: 'Fixed, says the office',
    verified: 'Confirmed fixed',
  },
  statusMeaning: {
    open: 'The building has your report.',
    acknowledged: 'Somebody in the building office has seen it.',
    in_progress: 'Somebody is working on it.',
    resolved: 'The office says it is fixed. Residents can confirm.',
    verified: 'It is confirmed that it is fixed.',
  },
  severity: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' },
  severityMeaning: {
    low: 'Looks bad, but works',
    medium: 'Works badly or only sometimes',
    high: 'Cannot be used',
    critical: 'Dangerous, or nobody can get in, out or around',
  },
  source: { web: 'on this site', mobile: 'in the app', email: 'by email' },
  role: { resident: 'Resident', board: 'Board', manager: 'Manager', admin: 'Admin' },
  recurrence: { none: 'Once', weekly: 'Every week', monthly: 'Every month' },
  /** Shown beside the name of a member of staff. */
  ofTheOffice: 'Office',
  anonymous: 'Anonymous resident',
  deletedPerson: 'Deleted person',
  system: 'Caretaker',
  byEmail: 'By email',
  inboundMail: {
    noSubject: '(no subject)',
    nothingNew: 'Answered by email, without new words.',
    onlyPhotos: 'Sent by email.',
    removed: '[removed]',
    notTaken: (n: number) =>
      count(n, {
        one: '1 attachment could not be taken in.',
        other: `${n} attachments could not be taken in.`,
      }),
    refused: (names: string[], more: number) =>
      `Attached to the email and not added: ${named(names, more)}. We take up to 5 pictures as JPEG, PNG, WebP or AVIF, 10 MB each.`,
    later: (names: string[], more: number) =>
      `Attached to the email, but could not be stored at that moment: ${named(names, more)}. Send it once more to add it.`,
  },
  hours: (n: number) => count(n, { one: '1 hour', other: `${n} hours` }),
  days: (n: number) => count(n, { one: '1 day', other: `${n} days` }),
  list: (parts: string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(parts),
}

/** The status page and the history of a month. */
export const statusPages = {
  statusPage: {
    title: 'Status',
    headline: {
      operational: () => 'Everything is working',
      maintenance: (n: number, name: string) =>
        n === 1 ? `${name}: planned work` : `Planned work on ${n} things`,
      degraded: (n: number, name: string) =>
        n === 1 ? `${name} works with problems` : `${n} things work with problems`,
      down: (n: number, name: string) =>
        n === 1 ? `${name} is out of service` : `${n} things are out of service`,
    },
    empty: 'Nothing is listed yet',
    emptyHint: 'The building office adds lifts, doors and everything else that can break.',
    summary: (working: number, total: number) => `${working} of ${total} are working`,
    now: 'Right now',
    problems: 'What is wrong',
    noProblemsNow: 'No problems.',
    unconfirmed: 'Reported as unusable, not confirmed yet.',
    confirm: 'Confirm it for the office',
    incidents: 'Smaller problems',
    allIncidents: 'All incidents',
    more: (n: number) => `${n} more`,
    everyWeek: (time: string) => `weekly, next ${time}`,
    everyMonth: (time: string) => `monthly, next ${time}`,
    history: 'History by month',
    upcoming: 'Planned work in the next 30 days',
    noUpcoming: 'No planned work in the next 30 days.',
    lastKnown: (minutes: number) =>
      minutes === 0
        ? 'We cannot look right now. This is how it was less than a minute ago.'
        : count(minutes, {
            one: 'We cannot look right now. This is how it was 1 minute ago.',
            other: `We cannot look right now. This is how it was ${minutes} minutes ago.`,
          }),
    since: (time: string) => `since ${time}`,
    until: (time: string) => `until ${time}`,
    lastDays: (percent: string) => `${percent} % uptime in 90 days`,
    neverDown: 'Never out of service in 90 days',
    noProblems: 'no problems',
    dayCounts: {
      down: (n: number) => count(n, { one: 'out of service on 1 day', other: `out of service on ${n} days` }),
      degraded: (n: number) => count(n, { one: 'problems on 1 day', other: `problems on ${n} days` }),
      maintenance: (n: number) =>
        count(n, { one: 'planned work on 1 day', other: `planned work on ${n} days` }),
    },
    rule: 'Uptime is the share of the time in which a thing was not out of service. Planned work is left out of it, and a thing that works badly still counts as working.',
    legend: 'How to read the bars',
    legendText: (from: string) =>
      `One stroke is one day, from ${from} to today. The taller the stroke, the worse the day.`,
    refresh: 'Reload the page to see what is new.',
  },
  offlinePage: {
    title: 'No connection',
    text: 'This page could not be fetched. Try again when there is a connection; nothing was changed.',
    kept: (time: string) => `No connection. This is what was known at ${time}.`,
    home: 'Last known status',
    news: 'There is news of something you follow.',
  },
  waitingPage: {
    title: 'Reports that wait on this phone',
    intro:
      'A report that cannot be sent for want of a connection is kept on the phone it was written on, for a week, five at most. It is sent once there is a connection and who wrote it is signed in. Where nobody can know who wrote it, it waits for “Send now”.',
    none: 'No report waits on this phone.',
    mine: 'My reports',
    another: 'Report something',
    written: (time: string) => `Written at ${time}.`,
    photos: (n: string) => `Photos: ${n}.`,
    sendAs: (name: string) => `Send now as ${name}`,
    words: {
      untitled: 'A report',
      automatic:
        'It is not sent yet. It is sent as soon as there is a connection and who wrote it is signed in.',
      byHand: 'It is not sent yet, and is not sent by itself. Press “Send now” once there is a connection.',
      late: 'It has waited for long and may have arrived all the same. Look at “My reports” before you press “Send now”.',
      refused: 'It was not accepted. Press “Send now” to see why, and change it there.',
      shown: 'It was not accepted and was shown to you again. Throw it away if you have sent it since.',
      sent: 'This report has been sent.',
      look: 'Look at it',
      send: 'Send now',
      discard: 'Throw away',
      discardNow: 'Yes, throw this report away',
      notices: {
        sent: 'No connection. Your report is kept on this phone and is not sent yet.',
        kept: 'Your report is kept on this phone and is not sent yet.',
        as: 'Your report is not sent yet. See below in whose name it is sent, and press “Send now” again.',
        room: 'No more reports can be kept on this phone. Send or throw away one of these first.',
        unkept:
          'Your report was not kept on this phone: there is no room for it. Send or throw away one that waits, then load this page again; what you typed stands below.',
        connection: 'Still no connection. The report waits on this phone.',
        other: 'Somebody else is signed in. Only who wrote that report can send it.',
        full: 'No connection, and your report was not kept: too much waits on this phone already. Load this page again to send it; what you typed stands below.',
        failed:
          'No connection, and this phone could not keep your report. Load this page again to send it; what you typed stands below.',
      },
      news: {
        sent: 'A report that waited on this phone has been sent.',
        refused: 'A report that waits on this phone was not accepted.',
        waiting: 'A report waits on this phone and is not sent yet.',
      },
    },
  },
  offlineForm: {
    intro:
      'There is no connection, but you can write your report now. It is kept on this phone, for a week, and is not sent by itself: once there is a connection, open this site again and press “Send now”.',
    keep: 'Keep the report on this phone',
  },
  historyPage: {
    title: (month: string) => `History: ${month}`,
    months: 'Months',
    never: 'Never out of service',
    hours: (n: string) => `Out of service for ${n} hours`,
  },
}

/** What feed readers, calendars and badges show. */
export const feeds = {
  news: (name: string) => `Status of ${name}`,
  planned: (name: string) => `Planned work: ${name}`,
  cancelled: (title: string) => `Cancelled: ${title}`,
  outage: { down: 'Out of service', degraded: 'Working with problems' },
  since: (from: string) => `since ${from}`,
  newsLink: 'News (Atom)',
  calendarLink: 'Calendar of planned work',
}
