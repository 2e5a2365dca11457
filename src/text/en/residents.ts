import { plural } from '../plural.js'

const count = plural('en')

/** The office's reasons for a wait; a reason in its own words is shown unchanged. */
const reasons = {
  waiting_for_parts: 'Waiting for parts',
  engineer_coming: 'An engineer is on the way',
  being_repaired: 'Repair in progress',
  watching: 'Repaired, being monitored',
}

/** The residents' pages: what is known, what happens next, when it works again. */
export const residents = {
  reasons,
  reason: (said: string): string =>
    Object.hasOwn(reasons, said) ? reasons[said as keyof typeof reasons] : said,
  affected: (n: number) => count(n, { one: '1 person affected', other: `${n} people affected` }),
  answer: {
    operational: () => 'Working.',
    maintenance: (_since: string, until: string) => `Closed for planned work until ${until}.`,
    degraded: (since: string) => `Partly working since ${since}.`,
    down: (since: string) => `Out of service since ${since}.`,
  },
  doing: 'Latest update',
  officeSays: (time: string) => `Office update, ${time}:`,
  nothingSaid: 'No update from the office yet.',
  toIncident: (id: number) => `See the full report (INC-${id})`,
  alternatives: (category: string, tower: string, working: number, total: number) =>
    `${category} in ${tower}: ${working} of ${total} working`,
  office: {
    expectedBackAt: 'Expected back',
    statusReason: 'Reason for the wait',
    statusReasonHint: 'Shown on the status page until this is marked as fixed.',
    noReason: 'No reason given',
    other: 'Other reason:',
    otherReason: 'Other reason, in a few words',
  },
  expected: (time: string) => `Expected back: ${time}`,
  late: (time: string) => `It was due back ${time}. We’re waiting for a new time.`,
  resume: 'You’ve been signed out. We’ve kept your text: sign in to send it.',
  known: {
    title: (n: number) =>
      count(n, { one: 'Is this the same problem?', other: 'Is it one of these problems?' }),
    hint: 'If so, choose “I have this too”. We’ll email you when it’s fixed.',
    none: 'No open reports about this.',
    me: 'I have this too',
    meWith: (title: string) => `I have this too: ${title}`,
    mine: 'You follow this report.',
    reported: (time: string) => `reported ${time}`,
    others: (n: number) => count(n, { one: '1 other report', other: `${n} other reports` }),
    more: 'All reports about it',
    said: (name: string, status: string, n: number) =>
      `${name}: ${status}. ${count(n, { one: '1 open report', other: `${n} open reports` })}.`,
    other: 'Report something else',
  },
  photos: { remove: 'Remove photo', sending: 'Sending your photos', sent: 'Photos sent.' },
  mine: {
    title: 'My reports',
    intro: 'Reports you made or follow, newest first.',
    none: 'You haven’t reported or followed anything yet.',
    reported: 'You reported this.',
    hidden: 'You reported this. Other residents can’t see your name.',
    followed: 'You follow this.',
    notFollowing: 'You don’t follow this.',
    verify: 'The office says this is fixed. Is it?',
    older: 'Older reports',
  },
  display: {
    problems: 'Current problems',
    turn: (n: number, all: number) => `page ${n} of ${all}`,
    today: 'Planned work today',
    noWork: 'None.',
    scan: 'Scan to report a problem',
    code: (address: string) => `QR code that opens ${address}/report`,
    orType: 'Or go to',
    asOf: 'Updated',
    stale: 'Not updated for over 3 minutes. Information may be out of date.',
  },
  sent: {
    title: 'Report sent',
    reference: 'Reference',
    next: 'What happens next',
    target: (time: string) => `We’ve told the building office. They aim to reply by ${time}.`,
    late: 'The building office hasn’t replied in time.',
    now: (status: string) => `Current status: ${status}.`,
    follow: 'We’ll email you when something changes.',
    noFollow: 'You won’t get emails about this.',
    here: (name: string) => `Report another problem with ${name}`,
    another: 'Report another problem',
    status: 'Back to building status',
  },
}

/** What is wrong with a field of an incident that the office fills in. */
export const incidentFields = {
  downtime_not_boolean: 'Downtime must be true or false',
  downtime_needs_asset: 'Only an asset can be out of service, not a flat',
  downtimeStart_unknown: 'Enter a date and time',
  downtimeStart_future: 'Start time must be in the past',
  downtimeStart_after_end: 'Start time must be before the report was marked as fixed',
  downtimeEnd_unknown: 'Enter a date and time',
  downtimeEnd_unresolved: 'Mark it as fixed before setting an end time',
  downtimeEnd_future: 'End time must be in the past',
  downtimeEnd_before_start: 'End time must be after the start time',
  retroactive_not_boolean: 'Retroactive must be true or false',
  expectedBack_unknown: 'Enter a date and time',
  expectedBack_required: 'Enter a date and time',
  expectedBack_past: 'Expected time must be in the future',
  expectedBack_resolved: 'This is already fixed, so it can’t have an expected time',
  statusReason_required: 'Enter the reason in a few words',
  statusReason_too_long: 'Reason must be 200 characters or fewer',
}

/** Following by mail: the form, the page of its link, and the account's list. */
export const followPages = {
  title: 'Get email updates',
  about: {
    building: (name: string) => `Email updates about everything in ${name}`,
    tower: (name: string) => `Email updates about everything in ${name}`,
    asset: (name: string) => `Email updates about ${name}`,
    incident: (name: string) => `Email updates about ${name}`,
  },
  what: 'We’ll email you when something stops working or is fixed, when an expected time changes, and about planned work. You’ll get at most one email every 10 minutes about the same thing.',
  whatIncident: 'We’ll count you as affected and email you when the status changes.',
  noAccount: 'No account needed. We’ll send you a link to confirm. You can unsubscribe at any time.',
  email: 'Your email address',
  send: 'Email me a link',
  begin: 'Get email updates',
  end: 'Stop email updates',
  endOne: (name: string) => `Stop email updates about ${name}`,
  on: 'You get these email updates.',
  confirmTitle: 'Confirm email updates',
  confirmedTitle: 'Email updates are on',
  confirmHint: 'We’ll send them to the address this link went to. You can unsubscribe at any time.',
  confirmButton: 'Yes, send me updates',
  confirmed: 'Confirmed. We’ll email you updates.',
  ownTitle: 'Lifts, doors and equipment you follow',
  ownHint: 'You get emails about these. To stop following a report, open it.',
  ownNone: 'You don’t follow anything yet. Open a lift or door and choose “Get email updates”.',
  building: 'Get email updates about the building',
  tower: (name: string) => `Get email updates about ${name}`,
}

/** The email with the link to confirm, and emails about assets. */
export const followMails = {
  confirm: {
    subject: (name: string) => `Please confirm: email updates about ${name}`,
    title: (name: string) => `Email updates about ${name}`,
    lead: 'Please confirm that you want these email updates. If you didn’t ask for them, ignore this email: we won’t send any more.',
    button: 'Yes, send me updates',
    why: 'You’re getting this because someone entered your address.',
  },
  subject: {
    down: (name: string) => `Out of service: ${name}`,
    back: (name: string) => `Back in service: ${name}`,
    expected: (name: string, time: string) => `Expected back ${time}: ${name}`,
    unexpected: (name: string) => `Expected time withdrawn: ${name}`,
    work: {
      new: (name: string) => `Planned work: ${name}`,
      moved: (name: string) => `Planned work moved: ${name}`,
      skipped: (name: string) => `One date of planned work cancelled: ${name}`,
      cancelled: (name: string) => `Planned work cancelled: ${name}`,
      ahead: (name: string) => `Planned work in the next 24 hours: ${name}`,
      done: (name: string) => `Planned work done: ${name}`,
    },
    more: (subject: string, n: number) =>
      count(n, { one: `${subject}, and 1 more`, other: `${subject}, and ${n} more` }),
  },
  lead: {
    down: 'Out of service.',
    back: {
      operational: 'Back in service.',
      degraded: 'Back in service, but only partly working.',
      maintenance: 'Repaired. Planned work is under way.',
    },
    expected: (time: string) => `Expected back by ${time}.`,
    unexpected: 'There’s no longer an expected time.',
    work: {
      new: 'Work is planned. The equipment may be out of service during this time.',
      moved: 'Planned work has moved to another time.',
      skipped: 'Work on this date is cancelled. Other dates are unchanged.',
      cancelled: 'Planned work has been cancelled.',
      ahead: 'Work starts in the next 24 hours. The equipment may be out of service during this time.',
      done: 'Planned work is done.',
    },
  },
  button: (name: string) => `Open ${name}`,
  why: 'You’re getting this because you asked for updates.',
  stop: 'Stop these emails',
}
