import { plural } from '../plural.js'

const count = plural('en')

/** The office's reasons for a wait; a reason in its own words is shown unchanged. */
const reasons = {
  waiting_for_parts: 'Waiting for parts',
  engineer_coming: 'An engineer is on the way',
  being_repaired: 'It is being repaired',
  watching: 'It was repaired, and we watch whether it holds',
}

/** The residents' pages: what is known, what happens next, when it works again. */
export const residents = {
  reasons,
  reason: (said: string): string =>
    Object.hasOwn(reasons, said) ? reasons[said as keyof typeof reasons] : said,
  affects: 'Affected',
  affected: (n: number) => count(n, { one: '1 person has this', other: `${n} people have this` }),
  answer: {
    operational: () => 'It is working.',
    maintenance: (_since: string, until: string) => `There is planned work on it until ${until}.`,
    degraded: (since: string) => `It has had problems since ${since}.`,
    down: (since: string) => `It has been out of service since ${since}.`,
  },
  doing: 'What is being done',
  officeSays: (time: string) => `The office, ${time}:`,
  nothingSaid: 'The office has not said yet what is being done.',
  toIncident: (id: number) => `Read all of INC-${id}`,
  alternatives: (category: string, tower: string, working: number, total: number) =>
    `${category}, ${tower}: ${working} of ${total} working`,
  office: {
    expectedBackAt: 'Expected back',
    expectedBackHint: (zone: string) => `Everybody sees it. Empty: no time is said. ${zone}.`,
    statusReason: 'What is being done',
    statusReasonHint:
      'Everybody sees it, on the status page, too. It is cleared when the incident is resolved.',
    noReason: 'Nothing is said',
    other: 'Something else:',
    otherReason: 'Something else, in a few words',
  },
  expected: (time: string) => `Expected back: ${time}`,
  late: (time: string) => `It was expected back ${time}. The office has not said a new time yet.`,
  resume: 'You were signed out meanwhile. What you wrote is kept: sign in, and it is there to be sent.',
  known: {
    title: (n: number) => count(n, { one: 'Is it this?', other: 'Is it one of these?' }),
    hint: 'If so, press the button: you are told when it is fixed, and need not write anything.',
    none: 'Nothing is reported about it right now.',
    me: 'I have this too',
    meWith: (title: string) => `I have this too: ${title}`,
    mine: 'You follow this one.',
    reported: (time: string) => `reported ${time}`,
    more: 'All its incidents',
    said: (name: string, status: string, n: number) =>
      `${name}: ${status}. ${count(n, { one: '1 open report', other: `${n} open reports` })}.`,
    other: 'It is something else',
  },
  photos: { remove: 'Remove photo', sending: 'Sending your photos', sent: 'Sent.' },
  mine: {
    title: 'My reports',
    intro: 'What you reported and what you follow, newest first.',
    none: 'You have not reported anything yet, and follow nothing.',
    reported: 'You reported this.',
    hidden: 'You reported this. Other residents do not see your name.',
    followed: 'You follow this.',
    notFollowing: 'You do not follow it.',
    verify: 'The office says it is done. Is it fixed?',
    older: 'Older reports',
  },
  display: {
    problems: 'Not as it should be',
    turn: (n: number, all: number) => `page ${n} of ${all}`,
    today: 'Planned work today',
    noWork: 'None.',
    scan: 'Scan to report a problem',
    code: (address: string) => `QR code that opens ${address}/report`,
    orType: 'Or open',
    asOf: 'As of',
    stale:
      'This screen has had no news for more than three minutes. What it shows is as of the time at the bottom, and may have changed since.',
  },
  sent: {
    title: 'Your report is in',
    reference: 'Reference',
    next: 'What happens next',
    target: (time: string) => `The building office has been told. It aims to answer by ${time}.`,
    late: 'The building office has been told. It has not answered yet, though it meant to.',
    now: (status: string) => `It stands at “${status}” now.`,
    follow: 'You follow it, so you are told when something changes.',
    noFollow: 'You do not follow it, so you are not told when something changes.',
    here: (name: string) => `Report another problem with ${name}`,
    another: 'Report another problem',
    status: 'Back to the status of the building',
  },
}

/** What is wrong with a field of an incident that the office fills in. */
export const incidentFields = {
  downtime_not_boolean: 'Downtime must be true or false',
  downtime_needs_asset: 'Only an asset can be out of service, not a flat',
  downtimeStart_unknown: 'Enter a date and a time',
  downtimeStart_future: 'Out of service cannot begin in the future',
  downtimeStart_after_end: 'Out of service must begin before the incident was resolved',
  downtimeEnd_unknown: 'Enter a date and a time',
  downtimeEnd_unresolved: 'Resolve the incident first: until then it is still out of service',
  downtimeEnd_future: 'Out of service cannot end in the future',
  downtimeEnd_before_start: 'Out of service must end after it began',
  retroactive_not_boolean: 'Whether the severity counts for the past must be true or false',
  expectedBack_unknown: 'Enter a date and a time',
  expectedBack_required: 'Enter a date and a time',
  expectedBack_past: 'It cannot be expected back in the past',
  expectedBack_resolved: 'The incident is resolved: there is nothing to wait for',
  statusReason_required: 'Say in a few words what is being done',
  statusReason_too_long: 'What is being done must be 200 characters or fewer',
}

/** Following by mail: the form, the page of its link, and the account's list. */
export const followPages = {
  title: 'Get mails',
  about: {
    building: (name: string) => `Mails about ${name}: everything in the building`,
    tower: (name: string) => `Mails about everything in ${name}`,
    asset: (name: string) => `Mails about ${name}`,
    incident: (name: string) => `Mails about ${name}`,
  },
  what: 'We write when something goes out of service or is back, when planned work is ahead, moved or done, and when the expected time changes. At most one mail in ten minutes about the same thing.',
  whatIncident: 'You are counted as somebody who has this, too, and we write when its status changes.',
  noAccount:
    'You need no account. We send a link to this address first; each mail has a link that stops them.',
  email: 'Your email address',
  send: 'Send me the link',
  begin: 'Send me these mails',
  end: 'Stop these mails',
  endOne: (name: string) => `Stop mails about ${name}`,
  on: 'You get these mails.',
  confirmTitle: 'Do you want these mails?',
  confirmedTitle: 'You get these mails',
  confirmHint: 'They go to the address the link was sent to. Each has a link that stops them.',
  confirmButton: 'Yes, send them',
  confirmed: 'Done. You will get these mails.',
  ownTitle: 'Things I follow',
  ownHint: 'You get mails about these. Incidents you follow stop on their pages.',
  ownNone: 'Nothing yet. The page of a lift, a door or another thing has a button for it.',
  building: 'Get mails about the building',
  tower: (name: string) => `Get mails about ${name}`,
}

/** The mail with the link to confirm, and mails about assets. */
export const followMails = {
  confirm: {
    subject: (name: string) => `Please confirm: mails about ${name}`,
    title: (name: string) => `Mails about ${name}`,
    lead: 'Somebody, we hope you, asked for these mails at this address. Press the button to get them. If it was not you, do nothing: you will hear no more.',
    button: 'Yes, send me these mails',
    why: 'You get this one mail because somebody typed your address.',
  },
  subject: {
    down: (name: string) => `Out of service: ${name}`,
    back: (name: string) => `Back in service: ${name}`,
    expected: (name: string, time: string) => `Expected back ${time}: ${name}`,
    unexpected: (name: string) => `No expected time any more: ${name}`,
    work: {
      new: (name: string) => `Planned work: ${name}`,
      moved: (name: string) => `Planned work moved: ${name}`,
      skipped: (name: string) => `Planned work does not take place: ${name}`,
      cancelled: (name: string) => `Planned work cancelled: ${name}`,
      ahead: (name: string) => `Planned work within a day: ${name}`,
      done: (name: string) => `Planned work done: ${name}`,
    },
    more: (subject: string, n: number) =>
      count(n, { one: `${subject}, and 1 more`, other: `${subject}, and ${n} more` }),
  },
  lead: {
    down: 'It is out of service.',
    back: {
      operational: 'It is back in service.',
      degraded: 'It is back in service, still with a problem.',
      maintenance: 'It is repaired. Planned work is under way.',
    },
    expected: (time: string) => `It is expected back by ${time}.`,
    unexpected: 'The office does not expect it back at a certain time any more.',
    work: {
      new: 'Work on it is planned. It may be out of use then.',
      moved: 'Planned work has moved to another time.',
      skipped: 'This one date of planned work does not take place. The others stay as they are.',
      cancelled: 'Planned work will not take place.',
      ahead: 'Planned work begins within a day. It may be out of use then.',
      done: 'Planned work is done.',
    },
  },
  button: (name: string) => `Open ${name}`,
  why: 'You get this because you follow it by mail.',
  stop: 'Stop these mails',
}
