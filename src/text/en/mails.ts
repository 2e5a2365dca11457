import { plural } from '../plural.js'

const count = plural('en')

/** Texts of emails and pushes. Subjects start with the state, because phones cut them short. */
export const mails = {
  subject: {
    created: (severity: string, title: string) => `New report (${severity.toLowerCase()}): ${title}`,
    status: (status: string, title: string) => `${status}: ${title}`,
    raised: (severity: string, title: string) => `Raised to ${severity.toLowerCase()}: ${title}`,
    waiting: (title: string) => `Still waiting: ${title}`,
    merged: (id: number, title: string) => `Merged into INC-${id}: ${title}`,
    unmerged: (title: string) => `Separated again: ${title}`,
    sweep: (n: number) =>
      count(n, { one: '1 report overdue for a reply', other: `${n} reports overdue for a reply` }),
    digest: (days: string, sentence: string) => `${days}: ${sentence}`,
    comments: (n: number, title: string) =>
      count(n, { one: `New comment: ${title}`, other: `${n} new comments: ${title}` }),
    many: (n: number) =>
      count(n, { one: 'Update on 1 report you follow', other: `Updates on ${n} reports you follow` }),
  },
  state: {
    created: (severity: string) => `New report, ${severity.toLowerCase()}`,
    raised: (severity: string) => `Raised to ${severity.toLowerCase()}`,
    waiting: 'Still waiting',
    merged: 'Merged',
    comments: (n: number) => count(n, { one: 'New comment', other: `${n} new comments` }),
    unmerged: 'Separated again',
  },
  lead: {
    created: (time: string) => `Someone reported a problem. A reply is due by ${time}.`,
    fixed: (name: string) => `${name} confirmed the fix. The report is now closed.`,
    notFixed: (name: string) => `${name} says it isn’t fixed. We’ve told the office.`,
    raised: (from: string, to: string) =>
      `No one has replied yet, so we’ve raised this from ${from.toLowerCase()} to ${to.toLowerCase()} and reminded the office.`,
    waiting: 'No one has replied yet, so we’ve reminded the office.',
    merged: (id: number) =>
      `This report is about the same problem as INC-${id}. We’ll email you about changes to that report instead.`,
    earlier: (n: number) =>
      count(n, {
        one: 'Read 1 earlier comment online.',
        other: `Read ${n} earlier comments online.`,
      }),
    many: {
      status: 'The office has changed the status of these reports.',
      escalated: 'No one has replied to these reports in time, so we’ve reminded the office.',
      merged: 'Each of these reports has been merged into another report about the same problem.',
      unmerged: 'These reports have been separated again.',
    },
    unmerged: (id: number) =>
      `This report has been separated from INC-${id} again. We’ll email you about changes.`,
    mergedSince: (id: number) => `This report has since been merged into INC-${id}.`,
    sweep: (n: number) =>
      count(n, {
        one: 'This report is overdue for a reply. Residents can see this.',
        other: 'These reports are overdue for a reply. Residents can see this.',
      }),
  },
  handedOver: {
    subject: (title: string) => `Please look at this: ${title}`,
    state: 'For you',
    lead: (building: string) =>
      `${building} has assigned this job to you. Please reply with what you’ll do and when.`,
    building: 'Building',
    why: (building: string) => `You’re getting this because ${building} has assigned this job to you.`,
  },
  received: {
    subject: 'We’ve got your email',
    created: (id: number) => `Your email is now report INC-${id}`,
    appended: (id: number) => `We’ve added your email to report INC-${id}`,
    public: 'Anyone can read it on the report page.',
    publicWithoutAddress: 'Anyone can read it on the report page. Your address isn’t shown.',
    follow:
      'Would you like an email when something changes? Press the button. If you didn’t write to us, ignore this email.',
    followButton: (id: number) => `Follow INC-${id}`,
    following: 'We’ll email you when something changes.',
    noReplies: 'Please don’t reply: this address isn’t monitored. Follow progress on the report page.',
    why: 'You’re getting this because someone wrote to the building from your address.',
  },
  wrote: (name: string) => `${name} wrote:`,
  nameOnPage: (name: string) => `${name} (see the full name online)`,
  writeAbove: '## Reply above this line ##',
  survivor: 'Merged into',
  where: 'Where',
  severity: 'Severity',
  status: 'Status now',
  reported: 'Reported',
  by: 'Reported by',
  button: {
    open: (id: number) => `Open INC-${id}`,
    acknowledge: (id: number) => `Acknowledge INC-${id}`,
    list: 'View open reports',
    status: 'Open the status page',
  },
  more: (n: number) => count(n, { one: 'and 1 more', other: `and ${n} more` }),
  raisedFromTo: (from: string, to: string) =>
    from === to ? `${from}, unchanged` : `${from}, now ${to.toLowerCase()}`,
  cut: 'Read the rest online.',
  replyToOffice: 'Reply to this email to answer. Only the office reads your reply.',
  reply: 'Reply to this email to comment. Comments are public.',
  why: {
    follower: (id: number) => `You’re getting this because you follow INC-${id}.`,
    followerOfMany: 'You’re getting this because you follow these reports.',
    staff: 'You’re getting this because you’re a member of the building’s staff.',
  },
  stop: {
    comments: 'Status changes only',
    incident: 'Stop emails about this report',
    kind: 'Stop these emails',
    all: 'Stop all emails',
  },
  push: {
    title: (state: string, id: number) => `${state} · INC-${id}`,
    andOthers: (title: string, n: number) =>
      count(n, { one: `${title} and 1 more`, other: `${title} and ${n} more` }),
  },
  digest: {
    title: (days: string) => `Your building this week: ${days}`,
    outNow: (names: string) => `Out of service now: ${names}`,
    back: (name: string, time: string) => `${name} (back ${time})`,
    noneBefore: 'Last week: none.',
    now: (headline: string) => `Now: ${headline}`,
    allWell: 'No outages',
    onlyDown: (name: string, hours: string) => `${name} out of service for ${hours}`,
    worstDown: (name: string, hours: string) => `Longest outage: ${name}, ${hours}`,
    wasBefore: (hours: string) => `Total last week: ${hours}.`,
    inAll: (hours: string) => `Total: ${hours}.`,
    better: (hours: string) => `That’s ${hours} less than last week.`,
    worse: (hours: string) => `That’s ${hours} more than last week.`,
    same: 'That’s the same as last week.',
    hours: (n: number, shown: string) => count(n, { one: `${shown} hour`, other: `${shown} hours` }),
    countsTitle: 'Reports',
    created: 'New',
    resolved: 'Closed by the office',
    verified: 'Confirmed fixed',
    before: (n: number) => `${n} last week`,
    week: 'This week',
    weekBefore: 'Last week',
    hoursTitle: 'Hours out of service',
    whole: (tower: string) => `${tower}, total`,
    without: (names: string) => `No outages: ${names}.`,
    promises: (n: number) =>
      count(n, { one: '1 expected time has passed', other: `${n} expected times have passed` }),
    overdue: (n: number) => count(n, { one: '1 job is overdue', other: `${n} jobs are overdue` }),
    waitingTitle: 'Not yet seen by the office, oldest first',
    nobodyWaits: 'The office has seen every report.',
    waits: (age: string) => `waiting for ${age}`,
    othersWait: (n: number) => count(n, { one: '1 more is waiting.', other: `${n} more are waiting.` }),
    lessThanAnHour: 'less than an hour',
    maintenanceTitle: 'Planned work in the next 14 days',
    noMaintenance: 'No planned work in the next 14 days.',
  },
}

/** The page an unsubscribe link opens. */
export const unsubscribePage = {
  title: 'Your emails',
  incident: (id: number, title: string) => `Emails and app notifications about INC-${id}: ${title}`,
  about: (names: string) => `Emails about ${names}`,
  topic: {
    created: 'Emails about every new report',
    status: 'Emails about status changes on reports you follow',
    comment: 'Emails about comments on reports you follow',
    escalated: 'Emails about overdue reports you follow',
    merged: 'Emails about merges of reports you follow',
    sweep: 'Emails about reports overdue for a reply',
    asset: 'Emails about lifts, doors and equipment you follow',
    digest: 'The weekly summary',
    all: 'All emails from this building',
  },
  on: 'These emails are on.',
  off: 'These emails are off.',
  stop: 'Unsubscribe',
  again: 'Resubscribe',
  stopped: 'You’ve unsubscribed.',
  resumed: 'You’ve resubscribed.',
  stays: 'Other emails aren’t affected. You can change this at any time with this link.',
  staysAll: 'You can change this at any time with this link.',
}
