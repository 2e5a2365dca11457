import { strangerEmails } from '../../vocabulary/countedLimits.js'
import { linkPurposes } from '../../vocabulary/email/linkPurposes.js'
import type { EmailTopic } from '../../vocabulary/email/unsubscribeTopics.js'
import type { EmailName, EventName, testEvent } from '../../vocabulary/events.js'
import { assetNewsMinutes, limits } from '../../vocabulary/limits.js'
import type { NotificationKind } from '../../vocabulary/notificationSettings.js'
import { plural } from '../plural.js'

const count = plural('en')

/**
 * Texts of emails and pushes. The subject of an email about a report is its title; what is new
 * comes first in the email.
 */
export const emails = {
  subject: {
    withoutTitle: (building: string) => `Report to ${building}`,
    sweep: (n: number) =>
      count(n, { one: '1 report overdue for a reply', other: `${n} reports overdue for a reply` }),
    digest: (days: string, sentence: string) => `${days}: ${sentence}`,
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
  assignment: {
    subject: (title: string) => `Please look at this: ${title}`,
    state: 'For you',
    lead: (building: string) =>
      `${building} has assigned this job to you. Please reply with what you’ll do and when.`,
    leadWithoutReplies: (building: string) => `${building} has assigned this job to you.`,
    building: 'Building',
    why: (building: string) => `You’re getting this because ${building} has assigned this job to you.`,
  },
  receipt: {
    state: 'We’ve got your report',
    lead: (id: number) => `It’s number INC-${id}. The office will read it.`,
    anonymous: 'Other residents don’t see your name.',
    photos: 'Photos',
    photosAttached: (n: number, attached: number) =>
      n === attached ? `${n}, attached` : `${n}, the first ${attached} attached`,
    why: 'You’re getting this because you reported a problem.',
  },
  received: {
    state: 'Received',
    created: (id: number) => `Your email is now report INC-${id}`,
    appended: (id: number) => `We’ve added your email to report INC-${id}`,
    public: 'Anyone can read it on the report page.',
    publicWithoutAddress: 'Anyone can read it on the report page. Your address isn’t shown.',
    follow:
      'Would you like an email when something changes? Press the button. If you didn’t write to us, ignore this email.',
    followButton: (id: number) => `Follow INC-${id}`,
    following: 'We’ll email you when something changes.',
    why: 'You’re getting this because someone wrote to the building from your address.',
  },
  wrote: (name: string) => `${name} wrote:`,
  nameOnPage: (name: string) => `${name} (see the full name online)`,
  filesNotTaken: 'Files not saved',
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
  noReplies: {
    report: 'Replies to this email aren’t read. To answer, open the report:',
    other: 'Replies to this email aren’t read. To reach the office, open our page:',
  },
  why: {
    follower: (id: number) => `You’re getting this because you follow INC-${id}.`,
    followerOfMany: 'You’re getting this because you follow these reports.',
    staff: 'You’re getting this because you’re a member of the building’s staff.',
  },
  stop: {
    comments: 'Status changes only',
    incident: 'Stop emails about this report',
    kind: 'Stop these emails',
    receipts: 'Stop emails about new reports',
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
    hours: (n: number, figure: string) => count(n, { one: `${figure} hour`, other: `${figure} hours` }),
    countsTitle: 'Reports',
    created: 'New',
    resolved: 'Closed by the office',
    verified: 'Confirmed fixed',
    before: (n: number) => `${n} last week`,
    week: 'This week',
    weekBefore: 'Last week',
    hoursTitle: 'Hours out of service',
    whole: (tower: string) => `${tower}, total`,
    withoutOutages: (names: string) => `No outages: ${names}.`,
    promises: (n: number) =>
      count(n, { one: '1 expected time has passed', other: `${n} expected times have passed` }),
    overdue: (n: number) => count(n, { one: '1 job is overdue', other: `${n} jobs are overdue` }),
    waitingTitle: 'Not yet seen by the office, oldest first',
    nobodyWaits: 'The office has seen every report.',
    waits: (age: string) => `waiting for ${age}`,
    othersWait: (n: number) => count(n, { one: '1 more is waiting.', other: `${n} more are waiting.` }),
    lessThanAnHour: 'less than an hour',
    maintenanceTitle: `Planned work in the next ${limits.digestDaysAhead} days`,
    noMaintenance: `No planned work in the next ${limits.digestDaysAhead} days.`,
  },
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
  what: `We’ll email you when something stops working or is fixed, when an expected time changes, and about planned work. You’ll get at most one email every ${assetNewsMinutes} minutes about the same thing.`,
  whatIncident: 'We’ll count you as affected and email you when the status changes.',
  noAccount: 'No account needed. We’ll send you a link to confirm. You can unsubscribe at any time.',
  email: 'Your email address',
  begin: 'Get email updates',
  sent: (address: string) =>
    `We’ll email a link to ${address} (at most ${strangerEmails.linksPerDay} a day). Open it within ${linkPurposes.follow.minutes / 60} hours to start getting updates.`,
  wrongAddress: 'Wrong address?',
  end: 'Stop email updates',
  endOne: (name: string) => `Stop email updates about ${name}`,
  on: 'You get these email updates.',
  confirmTitle: 'Confirm email updates',
  confirmedTitle: 'Email updates are on',
  /** `address` is masked: the link may have been forwarded. */
  confirmHint: (address: string) => `We’ll send them to ${address}. You can unsubscribe at any time.`,
  confirmButton: 'Yes, send me updates',
  confirmed: 'Confirmed. We’ll email you updates.',
  ownTitle: 'Lifts, doors and equipment you follow',
  ownHint: 'You get emails about these. To stop following a report, open it.',
  ownNone: 'You don’t follow anything yet. Open a lift or door and choose “Get email updates”.',
  building: 'Get email updates about the building',
  tower: (name: string) => `Get email updates about ${name}`,
}

/** The email with the link to confirm, and emails about assets. */
export const followEmails = {
  confirm: {
    subject: (name: string) => `Please confirm: email updates about ${name}`,
    title: (name: string) => `Email updates about ${name}`,
    lead: 'Please confirm that you want these email updates. If you didn’t ask for them, ignore this email: we won’t send any more.',
    button: 'Yes, send me updates',
    why: 'You’re getting this because someone asked for these updates with your address.',
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

/** What people can be notified of, as their account page lists it. */
export const notificationKinds = {
  created: 'New report',
  ownReport: 'Receipt for my own report',
  status: 'Status change on a report I follow',
  comment: 'Comment on a report I follow',
  escalated: 'The office is late to reply to a report I follow',
  merged: 'A report I follow is merged with another',
  asset: 'Updates on lifts, doors and equipment I follow',
  sweep: 'List of reports overdue for a reply',
  digest: 'Weekly summary',
} satisfies Record<NotificationKind | 'ownReport', string>

/** The page an unsubscribe link opens. */
export const unsubscribePage = {
  title: { ask: 'Stop these emails?', on: 'You get these emails', off: 'You don’t get these emails' },
  incident: (id: number, title: string) => `Emails and app notifications about INC-${id}: ${title}`,
  about: (names: string) => `Emails about ${names}`,
  topic: {
    created: 'Emails about new reports, including receipts for your own',
    status: 'Emails about status changes on reports you follow',
    comment: 'Emails about comments on reports you follow',
    escalated: 'Emails about late replies to reports you follow',
    merged: 'Emails about reports you follow that are merged with another',
    sweep: 'Emails about reports overdue for a reply',
    asset: 'Emails about lifts, doors and equipment you follow',
    digest: 'The weekly summary',
    all: 'All emails from this building',
  } satisfies Record<EmailTopic | 'all', string>,
  on: 'You get these emails.',
  stop: 'Unsubscribe',
  again: 'Resubscribe',
  stopped: 'You’ve unsubscribed.',
  resumed: 'You’ve resubscribed.',
  stays: 'Other emails aren’t affected. You can change this at any time with this link.',
  staysAll: 'You can change this at any time with this link.',
}

/** Emails, app messages and webhook deliveries that did not arrive. */
export const deliveryPage = {
  title: 'Delivery problems',
  intro: `Messages from the last ${limits.deliveryDays} days that we couldn’t deliver or whose delivery wasn’t confirmed. We try to send emails and app notifications several times, and you can retry them. Webhooks aren’t retried.`,
  none: 'All messages delivered.',
  kind: { mail: 'Email', push: 'App notification', webhook: 'Webhook' },
  fields: {
    what: 'Message',
    kind: 'Type',
    to: 'To',
    why: 'Reason',
    lastAttempt: 'Last attempt',
    again: 'Action',
  },
  event: {
    'incident.created': 'New report',
    'incident.status_changed': 'Status changed',
    'incident.sla_breached': 'Report overdue for a reply',
    'incident.merged': 'Duplicate merged',
    'incident.receipt': 'Receipt for a report',
    'incident.unmerged': 'Merge undone',
    'incident.commented': 'New comment',
    'incident.reopened': 'Reported as not fixed',
    'incident.handed_over': 'Assigned to a contact',
    'asset.status_changed': 'Asset status changed',
    'sweep.report': 'Reports overdue for a reply',
    digest: 'Weekly summary',
    'account.invited': 'Invitation',
    'account.reset': 'Password reset',
    'account.sign_in': 'Sign-in link',
    'account.sign_up': 'Link to create an account',
    'account.notice': 'Account security',
    'mail.received': 'Confirmation of an email we received',
    'asset.news': 'Update on a lift, a door or other equipment',
    'follow.asked': 'Link to confirm email updates',
    'webhook.test': 'Webhook test',
  } satisfies Record<EmailName | EventName | typeof testEvent, string>,
  followers: (n: number) =>
    count(n, {
      one: '1 person without an account gets email updates.',
      other: `${n} people without an account get email updates.`,
    }),
  heldBack: (n: number) =>
    count(n, {
      one: 'Sending limits held back 1 email in the last 24 hours.',
      other: `Sending limits held back ${n} emails in the last 24 hours.`,
    }),
  stopped: (addresses: string, more: number) =>
    `We’ve stopped emailing ${addresses}${more > 0 ? ` and ${more} more` : ''} after 3 bounces.`,
  noOne: 'no one',
  about: (what: string, id: number) => `${what}, INC-${id}`,
  attempts: (n: number) => count(n, { one: '1 attempt', other: `${n} attempts` }),
  waiting: {
    title: 'Waiting for the next attempt',
    many: (n: number) => `${n} waiting`,
    since: 'Failing since',
    next: 'Next attempt:',
  },
  reason: {
    connection_refused: 'The server refused the connection',
    name_not_found: 'The server’s name wasn’t found',
    no_answer: 'The server isn’t responding',
    connection_lost: 'The connection was lost',
    certificate_not_trusted: 'The server’s certificate isn’t trusted',
    no_encryption: 'The server doesn’t offer encryption we can use',
    sign_in_refused: 'The server refused our sign-in',
    sender_refused: 'The server refused our sender address',
    refused_for_now: 'The server asked us to try again later',
    refused: 'The server refused the message',
    folder: 'We can’t write to the email folder',
    not_confirmed:
      'Not confirmed: the server took it but didn’t answer. It has probably arrived: ask the recipient before you try again',
    stopping: 'This service stopped before it finished',
    internal: 'Internal error: see the service’s log',
    other: 'Delivery failed',
  },
  jobs: {
    title: 'Scheduled jobs',
    hint: 'Failed jobs are retried a few minutes later.',
    success: 'Last run',
    failure: 'Last failure',
    never: 'never',
    name: {
      sweep: 'Escalate overdue reports (hourly)',
      digest: 'Weekly summary (Mondays)',
      tidy: 'Clean up old data (hourly)',
      tick: 'Start and end planned work (every minute)',
    },
  },
  retryOne: (what: string, to: string) => `Try again: ${what} to ${to}`,
}

/** What a page says at its top after a change to who is notified. */
export const notificationNotices = {
  following: 'You’re following this report. We’ll email you about changes.',
  unfollowed: 'You’ve unfollowed this report.',
  followLinkSent: `We’ll email you a link (at most ${strangerEmails.linksPerDay} a day). Open it within ${linkPurposes.follow.minutes / 60} hours to start getting updates.`,
  followingEmails: 'You’ll get these email updates.',
  unfollowedEmails: 'You won’t get these email updates any more.',
  browserRemoved: 'Notifications turned off for that browser.',
  retried: 'We’re trying again.',
}
