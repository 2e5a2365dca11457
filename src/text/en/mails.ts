import { plural } from '../plural.js'

const count = plural('en')

/** Texts of mails and pushes. Subjects begin with the state, because phones cut them short. */
export const mails = {
  subject: {
    created: (severity: string, title: string) => `New, ${severity.toLowerCase()}: ${title}`,
    status: (status: string, title: string) => `${status}: ${title}`,
    reopened: (title: string) => `Not fixed: ${title}`,
    raised: (severity: string, title: string) => `Raised to ${severity.toLowerCase()}: ${title}`,
    waiting: (title: string) => `Still waiting: ${title}`,
    merged: (id: number, title: string) => `Merged into INC-${id}: ${title}`,
    unmerged: (title: string) => `Not merged any more: ${title}`,
    sweep: (n: number) =>
      count(n, { one: '1 report waits for an answer', other: `${n} reports wait for an answer` }),
    digest: (days: string, sentence: string) => `${days}: ${sentence}`,
    comments: (n: number, title: string) =>
      count(n, { one: `New comment: ${title}`, other: `${n} new comments: ${title}` }),
    many: (n: number) =>
      count(n, { one: 'News of 1 incident you follow', other: `News of ${n} incidents you follow` }),
  },
  state: {
    created: (severity: string) => `New report, ${severity.toLowerCase()}`,
    reopened: 'Not fixed',
    raised: (severity: string) => `Raised to ${severity.toLowerCase()}`,
    waiting: 'Still waiting',
    merged: 'Merged',
    comments: (n: number) => count(n, { one: 'New comment', other: `${n} new comments` }),
    unmerged: 'Not merged any more',
  },
  lead: {
    created: (time: string) => `Somebody reported a problem. An answer is due by ${time}.`,
    status: {
      open: 'The office put it back to the start.',
      acknowledged: 'Somebody in the building office has seen it.',
      in_progress: 'Somebody is working on it.',
      resolved: 'The office says it is fixed. Is it? You know best.',
      verified: 'It is confirmed as fixed and closed.',
    },
    fixed: (name: string) => `${name} confirmed that it is fixed. It is closed now.`,
    notFixed: (name: string) => `${name} says that it is not fixed. The office has it back on its list.`,
    raised: (from: string, to: string) =>
      `Nobody has answered yet, so it was raised from ${from.toLowerCase()} to ${to.toLowerCase()} and the office was told again.`,
    waiting: 'Nobody has answered yet, so the office was told again.',
    merged: (id: number) =>
      `This report is about the same thing as INC-${id}. It goes on there, and you will be told of it.`,
    earlier: (n: number) =>
      count(n, { one: '1 earlier comment is on its page.', other: `${n} earlier comments are on its page.` }),
    many: {
      status: 'The office has changed their status.',
      escalated: 'Nobody has answered them in time, so the office was told again.',
      merged: 'Each is about the same thing as another report and goes on there.',
      unmerged: 'They were not the same thing as another report after all. Each goes on by itself.',
    },
    unmerged: (id: number) =>
      `It was not the same thing as INC-${id} after all. This report goes on by itself, and you will be told of it.`,
    mergedSince: (id: number) => `It has since been merged into INC-${id}.`,
    sweep: (n: number) =>
      count(n, {
        one: 'Nobody acknowledged this report in time. Its reporter can see that.',
        other: 'Nobody acknowledged these reports in time. Their reporters can see that.',
      }),
  },
  handedOver: {
    subject: (title: string) => `Please look at this: ${title}`,
    state: 'For you',
    lead: (building: string) =>
      `The office of ${building} asks you to see to this. Say by return what you will do and when.`,
    building: 'Building',
    why: (building: string) => `You get this because the office of ${building} has given you this work.`,
  },
  received: {
    subject: 'We have your email',
    created: (id: number) => `Your email is now report INC-${id}`,
    appended: (id: number) => `Your email has been added to report INC-${id}`,
    public: 'Everyone can read it on the page of the report.',
    publicWithoutAddress: 'Everyone can read it on the page of the report. Your address isn’t shown.',
    follow:
      'Would you like an email when something happens? Press the button. If you didn’t write to us, ignore this email.',
    followButton: (id: number) => `Follow INC-${id}`,
    following: 'We’ll email you when something happens.',
    noReplies: 'We can’t receive replies to this email. The page of the report says what is being done.',
    why: 'You get this email because someone wrote to the building from your address.',
  },
  wrote: (name: string) => `${name} wrote:`,
  nameOnPage: (name: string) => `${name} (you can read the name on its page)`,
  writeAbove: '## Write above this line ##',
  survivor: 'Goes on in',
  where: 'Where',
  severity: 'How bad',
  status: 'Status now',
  reported: 'Reported',
  by: 'By',
  button: {
    open: (id: number) => `Open INC-${id}`,
    acknowledge: (id: number) => `Answer INC-${id}`,
    list: 'Open the list',
    status: 'Open the status page',
  },
  more: (n: number) => count(n, { one: 'and 1 more', other: `and ${n} more` }),
  raisedFromTo: (from: string, to: string) =>
    from === to ? `${from}, as before` : `${from}, now ${to.toLowerCase()}`,
  cut: 'The rest is on its page.',
  replyToOffice: 'Reply to this email to answer. Only the office reads your reply.',
  reply:
    'You can answer this mail to add to the incident. Everybody can read it there, also without an account.',
  why: {
    follower: (id: number) => `You get this because you follow INC-${id}.`,
    followerOfMany: 'You get this because you follow these incidents.',
    staff: 'You get this because you look after this building.',
  },
  stop: {
    comments: 'Only mails about changes of status, no comments',
    incident: 'Stop mails about this incident',
    kind: 'Stop mails of this kind',
    all: 'Stop all mails',
  },
  push: {
    title: (state: string, id: number) => `${state} · INC-${id}`,
    andOthers: (title: string, n: number) =>
      count(n, { one: `${title} and 1 more`, other: `${title} and ${n} more` }),
  },
  digest: {
    title: (days: string) => `The week in the building, ${days}`,
    outNow: (names: string) => `Out of service now: ${names}`,
    back: (name: string, time: string) => `${name} (back ${time})`,
    noneBefore: 'The week before: none.',
    now: (headline: string) => `Now: ${headline}`,
    allWell: 'Nothing was out of service',
    onlyDown: (name: string, hours: string) => `${name} was out of service for ${hours}`,
    worstDown: (name: string, hours: string) =>
      `${name} was out of service for ${hours}, longer than anything else`,
    wasBefore: (hours: string) => `The week before, it was ${hours} in all.`,
    inAll: (hours: string) => `In all, that makes ${hours}.`,
    better: (hours: string) => `The week before, it was ${hours} more.`,
    worse: (hours: string) => `The week before, it was ${hours} less.`,
    same: 'The week before, it was the same.',
    hours: (n: number, shown: string) => count(n, { one: `${shown} hour`, other: `${shown} hours` }),
    countsTitle: 'Reports',
    created: 'New',
    resolved: 'Closed by the office',
    verified: 'Confirmed',
    before: (n: number) => `${n} the week before`,
    week: 'This week',
    weekBefore: 'Week before',
    hoursTitle: 'Hours out of service',
    whole: (tower: string) => `${tower}, in all`,
    without: (names: string) => `None in either week: ${names}.`,
    promises: (n: number) => count(n, { one: '1 promise has passed', other: `${n} promises have passed` }),
    overdue: (n: number) =>
      count(n, { one: '1 piece of work is overdue', other: `${n} pieces of work are overdue` }),
    waitingTitle: 'Not yet seen by the office, oldest first',
    nobodyWaits: 'Nobody is waiting for an answer.',
    waits: (age: string) => `waiting for ${age}`,
    othersWait: (n: number) => count(n, { one: '1 more is waiting.', other: `${n} more are waiting.` }),
    lessThanAnHour: 'less than an hour',
    maintenanceTitle: 'Planned work in the next 14 days',
    noMaintenance: 'No planned work in the next 14 days.',
  },
}

/** The page an unsubscribe link opens. */
export const unsubscribePage = {
  title: 'Mails to you',
  incident: (id: number, title: string) => `Mails and app messages about INC-${id}: ${title}`,
  about: (names: string) => `Mails about ${names}`,
  topic: {
    created: 'Mails about every new report',
    status: 'Mails when the status of an incident you follow changes',
    comment: 'Mails when somebody comments on an incident you follow',
    escalated: 'Mails when nobody answered an incident you follow in time',
    merged: 'Mails when an incident you follow is merged into another',
    sweep: 'Mails about reports nobody answered in time',
    asset: 'Mails about lifts, doors and other things you follow',
    digest: 'The weekly digest',
    all: 'All mails from this building',
  },
  on: 'You get these now.',
  off: 'You do not get these.',
  stop: 'Stop them',
  again: 'Send them again',
  stopped: 'Done. You will not get these any more.',
  resumed: 'Done. You will get these again.',
  stays: 'Other mails are not affected, and you can change your mind with this link at any time.',
  staysAll: 'You can change your mind with this link at any time.',
}
