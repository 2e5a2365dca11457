import { plural } from '../plural.js'

const count = plural('en')

const named = (names: string[], more: number) => names.join(', ') + (more > 0 ? ` and ${more} more` : '')

/** Words used everywhere: states, severities, units of time. */
export const words = {
  assetStatus: {
    operational: 'Working',
    degraded: 'Partly working',
    down: 'Out of service',
    maintenance: 'Planned work',
  },
  status: {
    open: 'Reported',
    acknowledged: 'Seen by the office',
    in_progress: 'Being worked on',
    resolved: 'Marked as fixed',
    verified: 'Confirmed fixed',
  },
  statusMeaning: {
    open: 'We’ve received your report.',
    acknowledged: 'The building office has seen this.',
    in_progress: 'Someone is working on this.',
    resolved: 'The office has marked this as fixed. Is it?',
    verified: 'A resident or the office has confirmed the fix.',
  },
  /** What an email of a new status says beside it. */
  statusNews: {
    open: 'The office reopened this report.',
    acknowledged: 'We’ll email you when there’s news.',
    in_progress: 'We’ll email you when there’s news.',
    resolved: 'Is it fixed?',
    verified: 'The report is now closed.',
  },
  /** Instead of both, after a resident's "not fixed" and until staff act. */
  notFixed: {
    status: 'Reported as not fixed',
    meaning: 'A resident says it isn’t fixed. We’ve told the office.',
    statement: (time: string) => `Reported as not fixed, ${time}. We’ve told the office.`,
  },
  severity: { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' },
  severityMeaning: {
    low: 'Cosmetic: it still works',
    medium: 'Works, but not properly',
    high: 'Can’t be used',
    critical: 'Dangerous, or people can’t get in or out',
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
  inApp: 'Reported in the app',
  inboundMail: {
    noSubject: '(no subject)',
    nothingNew: 'Replied by email with no new text.',
    onlyPhotos: 'Sent by email.',
    removed: '[removed]',
    notTaken: (n: number) =>
      count(n, { one: 'We couldn’t save 1 attachment.', other: `We couldn’t save ${n} attachments.` }),
    refused: (names: string[], more: number) =>
      `We didn’t add: ${named(names, more)}. You can attach up to 5 photos (JPEG, PNG, WebP or AVIF), 10 MB each.`,
    later: (names: string[], more: number) =>
      `We couldn’t save: ${named(names, more)}. Please send the email again.`,
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
        n === 1 ? `${name}: planned work under way` : `${n} items closed for planned work`,
      degraded: (n: number, name: string) =>
        n === 1 ? `${name} is partly working` : `${n} items are partly working`,
      down: (n: number, name: string) =>
        n === 1 ? `${name} is out of service` : `${n} items are out of service`,
    },
    empty: 'Nothing set up yet',
    emptyHint: 'The building office hasn’t added any lifts, doors or other equipment yet.',
    summary: (working: number, total: number) => `${working} of ${total} working`,
    now: 'Right now',
    problems: 'Current problems',
    noProblemsNow: 'No problems.',
    unconfirmed: 'Reported as out of service. The office hasn’t confirmed this yet.',
    confirm: 'Confirm for the office',
    incidents: 'Other open reports',
    more: (n: number) => `${n} more`,
    everyWeek: (time: string) => `weekly, next ${time}`,
    everyMonth: (time: string) => `monthly, next ${time}`,
    history: 'History by month',
    upcoming: 'Planned work',
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
    lastDays: (percent: string) => `${percent}% uptime in 90 days`,
    rule: 'We count planned work and “Partly working” as in service.',
    legendText: (from: string) =>
      `Each bar is one day, since ${from}. Taller is worse. The figure is the uptime.`,
    refresh: 'Reload the page to update it.',
  },
  offlinePage: {
    title: 'You’re offline',
    text: 'We couldn’t load this page. Try again when you’re back online. Nothing has changed.',
    kept: (time: string) => `You’re offline. This was the status at ${time}.`,
    home: 'See the last known status',
    news: 'There’s an update on something you follow.',
  },
  waitingPage: {
    title: 'Unsent reports',
    intro:
      'If you’re offline, we keep up to 5 reports on this phone for a week. We send them when you’re online and signed in. If we can’t tell who wrote a report, press “Send now” to send it.',
    none: 'You have no unsent reports.',
    mine: 'My reports',
    another: 'Report a problem',
    written: (time: string) => `Written at ${time}.`,
    photos: (n: string) => `Photos: ${n}.`,
    sendAs: (name: string) => `Send now as ${name}`,
    words: {
      untitled: 'Untitled report',
      automatic: 'Not sent yet. We’ll send it when you’re online and signed in.',
      byHand: 'Not sent yet. Press “Send now” when you’re online.',
      late: 'This may already have been sent. Check “My reports” before you press “Send now”.',
      refused: 'We couldn’t accept this report. Press “Send now” to see why and fix it.',
      shown: 'We couldn’t accept this report. Delete it if you’ve sent it since.',
      sent: 'Report sent.',
      look: 'View report',
      send: 'Send now',
      discard: 'Delete report',
      discardNow: 'Yes, delete this report',
      notices: {
        sent: 'You’re offline. We’ve saved your report on this phone. It hasn’t been sent yet.',
        kept: 'We’ve saved your report on this phone. It hasn’t been sent yet.',
        as: 'Not sent yet. Check whose name it will be sent under, then press “Send now” again.',
        room: 'This phone can’t hold more unsent reports. Send or delete one first.',
        unkept:
          'We couldn’t save your report: this phone is full. Send or delete an unsent report, then reload this page. Your text is below.',
        connection: 'You’re still offline. We’ve kept your report on this phone.',
        other: 'Someone else is signed in. Only the person who wrote this report can send it.',
        full: 'You’re offline and this phone can’t hold more reports. Your text is below: reload this page when you’re online.',
        failed:
          'You’re offline and we couldn’t save your report on this phone. Your text is below: reload this page when you’re online.',
      },
      news: {
        sent: 'We’ve sent a report you had saved on this phone.',
        refused: 'We couldn’t accept a report you had saved on this phone.',
        waiting: 'You have an unsent report on this phone.',
      },
    },
  },
  offlineForm: {
    intro:
      'You’re offline, but you can still write your report. We’ll keep it on this phone for a week. When you’re online, come back and press “Send now”.',
    keep: 'Save report on this phone',
  },
  historyPage: {
    title: (month: string) => `History: ${month}`,
    months: 'Months',
    never: 'No outages',
    hours: (n: number, shown: string) =>
      count(n, { one: `Out of service: ${shown} hour`, other: `Out of service: ${shown} hours` }),
  },
}

/** What feed readers, calendars and badges show. */
export const feeds = {
  news: (name: string) => `Status of ${name}`,
  planned: (name: string) => `Planned work: ${name}`,
  cancelled: (title: string) => `Cancelled: ${title}`,
  outage: { down: 'Out of service', degraded: 'Partly working' },
  since: (from: string) => `since ${from}`,
  newsLink: 'Updates (Atom feed)',
  calendarLink: 'Planned work calendar (.ics)',
}
