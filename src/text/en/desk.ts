import { limits, undoMinutes } from '../../vocabulary/limits.js'
import { plural } from '../plural.js'

const count = plural('en')

const some = (n: number, more: boolean) => (more ? `more than ${n}` : String(n))

/** The desk: what needs a person now. */
export const desk = {
  title: 'Desk',
  allDone: 'You’re all caught up.',
  results: {
    acknowledged: (n: number) =>
      count(n, {
        one: '1 report acknowledged. We’ll email its followers.',
        other: `${n} reports acknowledged. We’ll email their followers.`,
      }),
    placed: (n: number) =>
      count(n, { one: 'Place saved for 1 report.', other: `Place saved for ${n} reports.` }),
    assigned: (n: number) => count(n, { one: '1 report assigned.', other: `${n} reports assigned.` }),
    merged: (n: number) =>
      count(n, {
        one: `1 duplicate merged. You can undo this for ${undoMinutes} minutes.`,
        other: `${n} duplicates merged. You can undo this for ${undoMinutes} minutes.`,
      }),
    read: (n: number) => count(n, { one: '1 report marked as read.', other: `${n} reports marked as read.` }),
  },
  skipped: (n: number) =>
    count(n, {
      one: '1 skipped: someone else has already dealt with it.',
      other: `${n} skipped: someone else has already dealt with them.`,
    }),
  tabs: {
    new: 'New',
    replies: 'Replies',
    reopened: 'Reopened',
    inProgress: 'In progress',
    toConfirm: 'To confirm',
    emails: 'Emails to sort',
  },
  /** The order of each tab, in words. */
  order: {
    new: 'Most urgent first.',
    replies: 'Longest waiting first.',
    reopened: 'A resident says it isn’t fixed. Longest waiting first.',
    inProgress: 'Overdue first, then longest without an update.',
    toConfirm: 'Done, waiting for a resident to confirm. Latest first.',
  },
  none: 'Nothing here.',
  skip: 'Skip to reports',
  selectAll: 'Select all',
  selected: 'Selected',
  clear: 'Clear',
  acknowledgeMany: 'Acknowledge',
  readMany: 'Mark as read',
  assignMany: 'Assign…',
  mergeMany: 'Merge…',
  previous: 'Previous reports',
  menu: (id: number) => `More actions for INC-${id}`,
  assign: 'Assign',
  openOne: (id: number) => `Open INC-${id}`,
  mergeInto: (id: number) => `Merge into INC-${id}`,
  same: (id: number) => `Same problem as INC-${id}?`,
  again: 'Acknowledged, then reopened',
  noWords: 'Photo or email without text',
  resolved: (time: string) => `Done ${time}`,
  assignTitle: (n: number, id: number) => (n === 1 ? `Assign INC-${id}` : `Assign ${n} reports`),
  place: {
    missing: 'No place yet: choose one',
    choose: 'Choose a place…',
    title: (n: number, id: number) =>
      n === 1 ? `What is INC-${id} about?` : `What are these ${n} reports about?`,
    asset: 'Equipment',
    unit: 'Or flat',
    save: 'Save place',
  },
  keys: {
    title: 'Keyboard shortcuts',
    next: 'Next report',
    previous: 'Previous report',
    select: 'Select the report',
    press: 'Press the report’s button',
    merge: 'Merge the report, if it looks like a duplicate',
    open: 'Open the report',
    show: 'Show these shortcuts',
    use: 'Use shortcuts on this device',
    close: 'Close shortcuts',
  },
  /** What a tap has done, by the act in the notice’s name (`tap-acknowledge`). */
  taps: {
    acknowledge: (id: number) => `INC-${id} acknowledged. We’ll email its followers.`,
    start: (id: number) => `INC-${id} is in progress. We’ll email its followers.`,
    fixed: (id: number) => `INC-${id} marked as fixed. We’ll ask its followers to confirm.`,
    reopen: (id: number) => `INC-${id} reopened. We’ll email its followers.`,
    confirm: (id: number) => `INC-${id} confirmed as fixed and closed.`,
    undo: (id: number) => `Confirmation undone. INC-${id} is waiting for confirmation again.`,
    merge: (id: number) => `INC-${id} merged into another report.`,
    unmerge: (id: number) => `Merge undone. INC-${id} is a separate report again.`,
    separate: (id: number) => `Nothing changed. INC-${id} is already a separate report.`,
    read: (id: number) => `INC-${id} marked as read.`,
    assign: (id: number) => `INC-${id} assigned.`,
    place: (id: number) => `INC-${id}: place saved.`,
    newer: (id: number) => `INC-${id} has a newer reply. Nothing changed.`,
    already: (id: number, status: string) => `Nothing changed. INC-${id} is already “${status}”.`,
    merged: (id: number) => `Nothing changed. INC-${id} has been merged into another report.`,
    tooLate: (id: number) =>
      `INC-${id} stays closed. You can undo a confirmation for ${undoMinutes} minutes.`,
  },
  /** The buttons of one tap. Who cannot see the row hears the report's number after the word. */
  acts: {
    acknowledge: 'Acknowledge',
    start: 'Start work',
    fixed: 'Mark as fixed',
    reopen: 'Reopen',
    confirm: 'Confirm fixed',
    read: 'Mark as read',
  },
  undo: 'Undo',
  undoneEntry: 'The office has withdrawn its confirmation. Is it fixed?',
  confirm: {
    title: (id: number) => `Confirm that INC-${id} is fixed?`,
    hint: `This closes the report. You can undo it for ${undoMinutes} minutes.`,
    send: 'Confirm fixed',
  },
  rest: (n: number, more: boolean) =>
    count(n, { one: 'Show 1 more', other: more ? `Show more (over ${n})` : `Show ${n} more` }),
  officeSaid: (ago: string) => `Office, ${ago}:`,
  noWord: 'No update sent yet.',
  passed: (time: string) => `Overdue: was due back ${time}`,
  unchanged: 'No change',
  acknowledgedEntry: 'The office has seen this.',
  total: (n: number, more: boolean) => some(n, more),
  choose: (title: string, id: number) => `Select INC-${id}: ${title}`,
  sendingPaused: {
    restored: (since: string) =>
      `This copy was restored from a backup on ${since}. It won’t send emails, notifications or webhooks until an operator makes it live.`,
    moved: (since: string) =>
      `This building moved to another database on ${since}. We no longer send anything from here, and changes you make here won’t be copied.`,
    by_hand: (since: string) =>
      `An operator stopped sending on ${since}. Emails, notifications and webhooks are paused.`,
  },
  failed: {
    messages: (n: number) =>
      count(n, {
        one: `1 email or app notification in the last ${limits.failedMessageDays} days`,
        other: `${n} emails and app notifications in the last ${limits.failedMessageDays} days`,
      }),
    stuck: {
      mail: (n: number) => `Emails aren’t being sent: ${n} waiting.`,
      push: (n: number) => `App notifications aren’t being sent: ${n} waiting.`,
    },
  },
  today: { title: 'Planned work starting today' },
}

/** The office's answer, who does the work, and templates for replies. */
export const answers = {
  title: 'Post an update',
  body: 'Update for residents',
  closingReason: 'Outcome',
  closingHint: 'Needed only when you mark this as fixed or close it.',
  closing: {
    fixed: 'Fixed',
    no_fault_found: 'No fault found',
    not_ours: 'Not the building’s responsibility',
    cannot_be_repaired: 'Can’t be repaired',
  },
  closed: {
    fixed: 'The office has marked this as fixed.',
    no_fault_found: 'Closed: the office found no fault.',
    not_ours: 'Closed: this isn’t the building’s responsibility.',
    cannot_be_repaired: 'Closed: this can’t be repaired.',
  },
  closedStatus: {
    no_fault_found: 'Closed: no fault found',
    not_ours: 'Closed: not the building’s responsibility',
    cannot_be_repaired: 'Closed: can’t be repaired',
  },
  closedAs: (reason: string) => `Closed: ${reason}`,
  notOnStatusPage: 'Don’t show this update on the status page',
  more: 'More options',
  afterwards: 'Add a comment or a staff note',
  assignee: 'Assigned to',
  assigneeHint: 'Residents won’t see the name. We’ll email the contractor.',
  noOne: 'No one yet',
  contact: (name: string, label: string, hasEmail: boolean) =>
    `${name}${label ? `, ${label}` : ''}${hasEmail ? '' : ' (no email address)'}`,
  keeper: (contact: string) => `Usual contractor: ${contact}`,
  dueOn: 'Due date',
  due: (day: string) => `due ${day}`,
  overdue: (day: string) => `overdue since ${day}`,
  isAssigned: 'Someone has been assigned.',
  expected: (time: string) => `Expected back: ${time}`,
  meanwhile: 'A colleague has just replied.',
  meanwhileMoved: 'A resident has just responded.',
  meanwhileHint: 'Your update hasn’t been sent. Check it below, then send it again.',
  newAndEntered: (theirs: string, yours: string) => `now “${theirs}” (you entered “${yours}”)`,
  nothing: 'nothing',
  meanwhileBy: (name: string, time: string) => `${name}, ${time}:`,
  now: (status: string) => `The status is now “${status}”.`,
  template: 'Template',
  chooseTemplate: 'Select a template',
  useTemplate: 'Insert template',
  templates: {
    title: 'Reply templates',
    intro: 'Ready-made replies you can insert and edit.',
    none: 'No templates yet.',
    create: 'Add a template',
    edit: (name: string) => `Template: ${name}`,
    fields: {
      name: 'Name',
      wordsEn: 'Text in English',
      wordsEs: 'Text in Spanish',
      status: 'New status',
      statusReason: 'Reason for the wait',
    },
    hints: {
      name: 'Only staff can see this.',
      wordsEn: 'Leave blank to hide this template in English.',
      wordsEs: 'Leave blank to hide this template in Spanish.',
    },
  },
  expectedBackAt: 'Expected back',
  statusReason: 'Reason for the wait',
  statusReasonHint: 'Shown on the status page until this is marked as fixed.',
  noReason: 'No reason given',
  other: 'Other reason:',
  otherReason: 'Other reason, in a few words',
}

/** Merging duplicates, and undoing it. Entries are public and stored in the property's language. */
export const merging = {
  mergedEntry: (id: number) => `INC-${id} was merged into this report: it’s about the same problem.`,
  unmergedEntry: (id: number) => `INC-${id} was separated from this report.`,
  unmerge: (id: number) => `Undo merge of INC-${id}`,
  unmergeHint: (minutes: number) =>
    count(minutes, {
      one: 'You can undo this for 1 more minute.',
      other: `You can undo this for ${minutes} more minutes.`,
    }),
  merge: 'Merge into another report',
  mergeHint: `We’ll move its followers to the other report and notify them. You can undo this for ${undoMinutes} minutes.`,
  targetId: 'Which report do you want to keep?',
  otherId: 'Or enter its number',
  find: 'Search by words or number',
  findSend: 'Search reports',
  duplicates: 'Merge other reports into this one',
  duplicatesHint: `We’ll move their followers to this report and notify them. You can undo this for ${undoMinutes} minutes.`,
  duplicateIds: 'Which reports are duplicates?',
  noCandidates: 'No similar reports found.',
  candidate: (id: number, title: string, place: string, time: string, status: string) =>
    `INC-${id}: ${title} (${place ? `${place}, ` : ''}${time}; ${status})`,
  preview: 'Preview merge',
  previewTitle: (n: number) => count(n, { one: 'Merge a duplicate', other: `Merge ${n} duplicates` }),
  survivor: 'Which report stays?',
  stays: (id: number, title: string, severity: string, time: string) =>
    `INC-${id}: ${title} (${severity}, ${time})`,
  severityKept: 'Severity of the report that stays',
  previewAgain: 'Preview this choice',
  into: (id: number, title: string) => `Into INC-${id}: ${title}`,
  goes: (id: number, title: string) => `INC-${id}: ${title}`,
  brings: (ids: readonly number[]) => `with ${ids.map((id) => `INC-${id}`).join(', ')}`,
  effects: 'What happens',
  closes: (n: number, id: number) =>
    count(n, {
      one: `The duplicate will be closed. INC-${id} will show its comments and photos.`,
      other: `The duplicates will be closed. INC-${id} will show their comments and photos.`,
    }),
  newFollowers: (n: number, id: number) =>
    n === 0
      ? `INC-${id} gains no new followers: everyone already follows it.`
      : count(n, {
          one: `INC-${id} gains 1 follower.`,
          other: `INC-${id} gains ${n} followers.`,
        }),
  becomesDowntime: (id: number) => `INC-${id} will count as out of service.`,
  confirmHint: `We’ll notify the followers. You can undo this for ${undoMinutes} minutes.`,
  staysWord: (name: string, status: string) => `${name}: stays “${status}”.`,
  changesWord: (name: string, before: string, after: string) =>
    `${name}: changes from “${before}” to “${after}”.`,
  uptime: (days: number, before: string, after: string) =>
    before === after
      ? `Uptime over ${days} days: ${before}%, unchanged.`
      : `Uptime over ${days} days: ${before}% → ${after}%.`,
  send: (n: number) => count(n, { one: 'Merge report', other: `Merge ${n} reports` }),
}
