import { undoMinutes } from '../../vocabulary/limits.js'
import { kindInPlural } from '../equipmentKinds.js'
import { plural } from '../plural.js'
import { at } from './moments.js'

const count = plural('en')

/** The office's reasons for a wait; a reason in its own words is shown unchanged. */
const reasons = {
  waiting_for_parts: 'Waiting for parts',
  engineer_coming: 'An engineer is on the way',
  being_repaired: 'Repair in progress',
  watching: 'Repaired, being monitored',
}

/** The list of reports. */
export const incidents = {
  title: 'Reports',
  status: 'Status',
  severity: 'Severity',
  place: 'Where',
  anyStatus: 'Any status',
  anySeverity: 'Any severity',
  anyPlace: 'Anywhere',
  includeMerged: 'Show merged duplicates',
  clear: 'Clear filters',
  none: 'No reports match.',
  noneHint: 'Try fewer filters or a different word.',
  noneYet: 'No reports yet.',
  older: 'Older reports',
  search: 'Search reports',
  searchHint: 'Words, or a number like INC-12',
  words: (words: string) => `Words: ${words}`,
  more: 'Filters and order',
  tower: 'Tower',
  anyTower: 'Any tower',
  flat: 'Flat',
  anyFlat: 'Any flat',
  openOnly: 'Open only',
  from: 'Reported from',
  to: 'Reported until',
  reporter: 'Reported by',
  reporterHint: 'Name or email. Only staff see this.',
  anybody: 'Anyone',
  order: 'Sort by',
  orders: {
    newest: 'Newest first',
    oldest: 'Oldest first',
    activity: 'Recently updated',
    severity: 'Most severe first',
    due: 'Due soonest',
  },
  chosen: 'Filters in use',
  removeFilter: (filter: string) => `Remove filter: ${filter}`,
  found: (n: number, more: boolean) =>
    more ? `Showing ${n}` : count(n, { one: '1 report', other: `${n} reports` }),
  exactly: (id: number, title: string) => `Go to INC-${id}: ${title}`,
  all: 'All reports',
  next: 'More reports',
  untriaged: 'Needs a place',
  breached: 'Late reply',
  downtime: 'Out of service',
  reportedBy: (name: string) => `Reported by ${name}`,
}

/** A report's page. */
export const incident = {
  /** Beside the address of an email's sender, for staff. */
  sender: {
    proven: 'sender verified',
    notProven: 'sender not verified',
    claims: (name: string) => `claims to be from ${name}, not verified`,
  },
  severity: 'Severity',
  status: 'Status',
  progress: 'Progress',
  done: 'done',
  photos: 'Photos',
  photo: (i: number, n: number) => `Photo ${i} of ${n}`,
  photoOf: (title: string) => `Photo: ${title}`,
  previousPhoto: 'Previous photo',
  nextPhoto: 'Next photo',
  backToReport: 'Back to the report',
  timeline: 'Updates',
  noUpdates: 'No updates yet.',
  changed: (status: string) => `Status: ${status}`,
  from: (id: number) => `from INC-${id}`,
  openedDuplicate: 'Reported the same problem:',
  changedThere: (status: string) => `Status at the time: ${status}`,
  newestOf: (newest: number, total: number, isCut: boolean) =>
    isCut
      ? `Showing the newest ${newest} of more than ${total} updates.`
      : `Showing the newest ${newest} of ${total} updates.`,
  showAll: 'Show all updates',
  older: 'Show earlier updates',
  newest: 'Back to the newest',
  addUpdate: 'Add a comment',
  body: 'Comment',
  bodyHint: 'This is public. Leave out names, phone numbers and door codes.',
  newStatus: 'New status',
  keepStatus: 'No change',
  addPhotos: 'Photos',
  send: 'Post comment',
  signIn: 'Sign in to comment',
  commentAs: (name: string) => `Your comment shows your name: ${name}.`,
  commentHidden: (name: string) => `Other residents see “${name}” instead of your name.`,
  /** Above a comment that was sent after its writer's session had ended. */
  draft: {
    notPosted: 'Your comment isn’t posted yet.',
    whole: 'You’re signed in again.',
    withoutPhotos: 'You’re signed in again. Add your photos again.',
  },
  received: 'We’ve received your report.',
  expect: (deadline: string) => `The office aims to reply by ${deadline}.`,
  /** After a sentence about the office. */
  expectIt: (deadline: string) => `It aims to reply by ${deadline}.`,
  overdue: 'A reply is overdue.',
  breached: 'The office replied late.',
  about: 'About this report',
  description: 'Description',
  downtime: 'Out of service',
  verdict: {
    fixed: 'It’s fixed.',
    notFixed: 'It isn’t fixed yet.',
    undone: 'The confirmation was withdrawn. Is it fixed?',
  },
  confirmedBy: (who: string, time: string) => `${who} confirmed the fix, ${time}.`,
  confirmedByYou: (time: string) => `You confirmed the fix, ${time}.`,
  /** Who confirmed it, where no name is shown. */
  resident: 'A resident',
  youReported: 'You reported this',
  othersSee: (name: string) => `Other residents see “${name}”, also on your comments.`,
  verifyTitle: 'Is it fixed?',
  yes: 'Yes, it’s fixed',
  no: 'No, it isn’t fixed',
  stillWrong: 'What’s still wrong? (optional)',
  sayWhatIsWrong: 'What’s still wrong?',
  sayNo: 'Say it isn’t fixed',
  backToQuestion: 'Go back',
  undoHint: `Confirmed as fixed. If that was a mistake, you can undo it for ${undoMinutes} minutes.`,
  undoConfirmation: 'Undo confirmation',
  follow: 'Follow this report',
  followHint: 'Get an email when something changes.',
  unfollow: 'Unfollow this report',
  followingNow: 'You follow this report.',
  office: 'Staff only',
  edit: 'Edit report',
  title: 'Title',
  asset: 'Asset',
  unit: 'Flat',
  nowhere: 'None',
  isDowntime: 'Is it out of service?',
  yesDowntime: 'Yes',
  noDowntime: 'No',
  downtimeStart: 'Out of service from',
  downtimeStartHint: (zone: string) => `Leave blank to use the time it was reported. ${zone}.`,
  downtimeEnd: 'Out of service until',
  downtimeEndHint: (zone: string) => `Leave blank to use the time it was marked as fixed. ${zone}.`,
  retroactive: 'Apply severity from the start',
  retroactiveHint: 'Otherwise it applies from now.',
  note: 'Staff note',
  noteOnly: 'Staff note only',
  notSet: 'Not set',
  notePublish: 'Publish this reply',
  previewEdit: 'Preview changes',
  consequence: 'If you save this:',
  consequencePast: 'This changes past uptime. Save again to confirm.',
  uptimeChanges: (days: number, before: string, after: string) =>
    before === after
      ? `uptime over ${days} days: ${before}%, unchanged`
      : `uptime over ${days} days: ${before}% → ${after}%`,
  statusStays: (status: string) => `Current status stays “${status}”.`,
  statusChanges: (before: string, after: string) => `Current status changes from “${before}” to “${after}”.`,
}

/**
 * What residents read about a fault: whether it works, what the office says, when it is expected
 * back.
 */
export const faultState = {
  reasons,
  reason: (reason: string): string =>
    Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reason,
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
    `${kindInPlural(category)} in ${tower}: ${working} of ${total} working`,
  expected: (time: string) => `Expected back: ${time}`,
  late: (time: string) => `It was due back ${at(time)}. The office hasn’t given a new time yet.`,
}

/** What the office takes back, and what people read in its place (decision 7.14). */
export const protection = {
  hidden: 'Hidden by the office',
  hiddenText: 'The office has hidden this text.',
  hiddenPhotos: (n: number) =>
    count(n, {
      one: 'The office has hidden 1 photo.',
      other: `The office has hidden ${n} photos.`,
    }),
  onlyStaff: 'Hidden: only staff can see this.',
  menu: (what: string) => `More: ${what}`,
  hideDescription: 'Hide description',
  hideText: 'Hide title and description',
  hideTitle: 'Hide title',
  hideEntry: (name: string) => `Hide ${name}’s comment`,
  hidePhoto: (n: number) => `Hide photo ${n}`,
  restoreText: 'Unhide title and description',
  restoreEntry: (name: string) => `Unhide ${name}’s comment`,
  restorePhoto: (n: number) => `Unhide photo ${n}`,
  notAReport: 'Not a report',
  dismissTitle: 'Not a valid report?',
  dismissHint:
    'For spam, tests and anything that isn’t about the building. The report is closed, hidden from residents and left out of uptime. We’ll tell the reporter. You can undo this.',
  dismiss: 'Close as not a report',
  reinstate: 'Reopen as a report',
  dismissed: 'The office has closed this: it isn’t about the building.',
  dismissedEntry:
    'Thank you for writing. The office has closed this because it isn’t about the building. If that’s wrong, please comment here.',
  reinstatedEntry: 'The office has reopened this report.',
  nameHidden: '(hidden from residents)',
  unitVisibility: {
    everybody: 'Everyone',
    signed_in: 'Signed-in residents',
    staff: 'Staff only',
  },
  emailVisibility: { at_once: 'Straight away', when_sorted: 'After the office approves it' },
  unitSeenBy: {
    everybody: 'Anyone can see the flat number.',
    signed_in: 'Signed-in residents can see the flat number.',
    staff: 'Only the office can see the flat number. Everyone else sees the tower.',
  },
  unitTellsWho: 'If your report is about a flat, this may identify you even if you hide your name.',
}

/** Repair costs. */
export const costs = {
  title: 'Repair costs',
  none: 'No costs yet.',
  add: 'Add a cost',
  send: 'Add cost',
  void: 'Remove from total',
  voidThis: (amount: string) => `Remove the cost of ${amount} from the total`,
  voided: (name: string | null, date: string) => `Removed by ${name}, ${date}`,
  sum: (amount: string) => `Total: ${amount}`,
  ofDuplicate: (id: number) => `Entered on INC-${id}`,
  amountIn: (currency: string) => `Amount in ${currency}`,
  fields: {
    amount: 'Amount',
    incurredOn: 'Date',
    vendor: 'Paid to',
    invoiceRef: 'Invoice number',
    costNote: 'Note',
    enteredBy: 'Entered by',
    act: 'Action',
  },
  hints: { amount: (example: string) => `For example ${example}` },
}

/** What is wrong with a field of an incident that the office fills in. */
export const incidentFieldProblems = {
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

/** What a page says at its top after a report was sent or changed. */
export const incidentNotices = {
  reported: 'Report sent. We’ve told the building office.',
  reportGone: 'Your report wasn’t sent: we keep unsent reports for 1 hour. Please report the problem again.',
  updated: 'Update posted. We’ll email the people who follow this report.',
  commented: 'Comment posted. We’ll email the people who follow this report.',
  merged: 'That report has been merged into this one.',
  verified: 'Thanks. This report is now closed.',
  reopened: 'Thanks. We’ve told the office it isn’t fixed.',
  confirmationUndone: 'Confirmation undone. The report is waiting for an answer again.',
  mergedNow: 'Duplicate merged into this report.',
  confirmed: 'Acknowledged. We’ll tell the reporters.',
  unmerged: 'Merge undone. This is a separate report again.',
  hidden: 'Hidden from residents. Staff can still see it.',
  shownAgain: 'Residents can see it again.',
  dismissed: 'Closed as not a report. We’ll tell the reporter.',
  reinstated: 'Reopened as a report.',
  edited: 'Changes saved.',
  someDone: 'Done, except those a colleague had already dealt with.',
  noneDone: 'Nothing changed. A colleague had already dealt with this.',
  noted: 'Note added. Only staff can see it.',
  costAdded: 'Cost added.',
  costVoided: 'Cost removed from the total.',
  costRestored: 'Cost added back to the total.',
}

/** Problems of what is not a report. */
export const incidentProblems = {
  dismiss_has_duplicates: {
    title: 'This report has duplicates',
    detail:
      'Other reports were merged into this one. Undo those merges first, or close this report with an outcome.',
  },
  incident_dismissed: {
    title: 'This was closed as not a report',
    detail: 'Reopen it as a report first.',
  },
}
