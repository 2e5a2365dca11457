import { plural } from '../plural.js'

const count = plural('en')
const some = (n: number, more: boolean) => (more ? `more than ${n}` : String(n))

/** The desk: what needs a person now. */
export const desk = {
  title: 'Desk',
  allDone: 'Nothing is waiting for you.',
  did: {
    acknowledged: (n: number) =>
      count(n, {
        one: '1 report acknowledged. Those who follow it are being told.',
        other: `${n} reports acknowledged. Those who follow them are being told.`,
      }),
    assigned: (n: number) =>
      count(n, { one: '1 report has its place now.', other: `${n} reports have their place now.` }),
    handedOver: (n: number) =>
      count(n, { one: '1 report is given to somebody.', other: `${n} reports are given to somebody.` }),
    merged: (n: number) =>
      count(n, {
        one: '1 duplicate was merged. It can be undone for ten minutes.',
        other: `${n} duplicates were merged. It can be undone for ten minutes.`,
      }),
    seen: (n: number) => count(n, { one: '1 report is ticked off.', other: `${n} reports are ticked off.` }),
  },
  left: (n: number) =>
    count(n, {
      one: '1 was left: somebody else had dealt with it meanwhile.',
      other: `${n} were left: somebody else had dealt with them meanwhile.`,
    }),
  tickAll: 'Tick all',
  tickAllOf: (section: string) => `Tick all: ${section}`,
  rest: (n: number, more: boolean) =>
    count(n, { one: 'Show 1 more', other: `Show ${more ? 'more than ' : ''}${n} more` }),
  whole: 'Back to the whole desk',
  keys: 'With a report in focus: j goes to the next, k to the one before, Enter opens it, a answers its button, m merges it into an older one.',
  ago: (span: string) => `${span} ago`,
  officeSaid: (ago: string) => `The office, ${ago}:`,
  noWord: 'The office has said nothing yet.',
  passed: (time: string) => `Was expected back ${time}`,
  handOver: 'Give those ticked to somebody',
  unchanged: 'As it is',
  mergeTicked: 'Those ticked are one thing',
  mergeOne: (id: number) => `Merge INC-${id} into an older report`,
  merge: 'Merge',
  inHand: {
    title: 'In hand',
    hint: 'Promises that have passed first, then work that is overdue, then what nobody has heard of for longest.',
  },
  acknowledgedEntry: 'The office has seen this.',
  total: (n: number, more: boolean) => some(n, more),
  choose: (title: string, id: number) => `Choose INC-${id}: ${title}`,
  chosenOnes: 'With those you have ticked:',
  sendingPaused: {
    restored: (since: string) =>
      `This is a copy, restored from a backup on ${since}. It sends no mail, push or webhook until the people who run it say that it takes the original’s place.`,
    moved: (since: string) =>
      `This building moved to another database on ${since}. Nothing is sent from here any more, and what is written here stays here.`,
    by_hand: (since: string) =>
      `No mail, push or webhook has been sent since ${since}: the people who run this service stopped them.`,
  },
  mailsToSort: (n: number) => count(n, { one: '1 mail to sort', other: `${n} mails to sort` }),
  cameBack: { title: 'Came back', hint: 'Somebody in the building says that it is not fixed.' },
  unanswered: {
    title: 'New answers and comments',
    hint: 'Nobody of the office has written or acted since. Answer on its page, or tick it off.',
    seen: 'Seen',
    seenOne: (id: number) => `Seen: INC-${id}`,
    seenMany: 'Those you have ticked are seen',
  },
  untriaged: {
    title: 'Not sorted yet',
    hint: 'Came by mail and belongs to nothing yet. Say what it is about.',
    assign: 'Assign',
    asset: 'Asset',
    unit: 'or flat',
    nothing: 'Choose',
  },
  unacknowledged: {
    title: 'Waiting for an answer',
    hint: 'Most urgent first: critical and high ones that have waited too long, then critical ones.',
    again: 'Seen before, open again',
    acknowledge: 'Acknowledge',
    acknowledgeOne: (id: number) => `Acknowledge INC-${id}`,
    acknowledgeMany: 'Acknowledge those you have ticked',
  },
  unconfirmed: {
    title: 'Resolved, not confirmed',
    hint: 'Nobody has said yet that it works.',
    confirm: 'It is fixed',
    confirmOne: (id: number) => `It is fixed: INC-${id}`,
    resolved: (time: string) => `Resolved ${time}`,
  },
  failed: {
    title: 'Did not get through',
    messages: (n: number) =>
      count(n, {
        one: '1 mail or push in the last 7 days',
        other: `${n} mails and pushes in the last 7 days`,
      }),
    stuck: {
      mail: (n: number) =>
        count(n, { one: 'No mail gets out: 1 waits.', other: `No mail gets out: ${n} wait.` }),
      push: (n: number) =>
        count(n, { one: 'No app message gets out: 1 waits.', other: `No app message gets out: ${n} wait.` }),
    },
    receiver: (url: string, status: string) => `${url}: ${status}`,
    look: 'Look at them',
  },
  today: { title: 'Planned work beginning today' },
  due: {
    left: (span: string) => `${span} left`,
    over: (span: string) => `${span} over`,
  },
  span: {
    minutes: (n: number) => count(n, { one: '1 minute', other: `${n} minutes` }),
    hours: (n: number) => count(n, { one: '1 hour', other: `${n} hours` }),
    days: (n: number) => count(n, { one: '1 day', other: `${n} days` }),
  },
}

/** The office's answer, who does the work, and templates for replies. */
export const answers = {
  title: 'Answer',
  body: 'What do you want to tell everybody?',
  closingReason: 'If you close it: why?',
  closingHint: 'Counts only with a new status that closes it.',
  closing: {
    fixed: 'Fixed',
    no_fault_found: 'No fault found',
    not_ours: 'Not ours to repair',
    cannot_be_repaired: 'Cannot be repaired',
  },
  closed: {
    fixed: 'The office says it is fixed.',
    no_fault_found: 'The office found no fault and has closed it.',
    not_ours: 'The office has closed it: it is not the building’s to repair.',
    cannot_be_repaired: 'The office has closed it: it cannot be repaired.',
  },
  closedStatus: {
    no_fault_found: 'Closed, no fault found',
    not_ours: 'Closed, not ours to repair',
    cannot_be_repaired: 'Closed, cannot be repaired',
  },
  closedAs: (reason: string) => `Closed: ${reason}`,
  onStatusPage: 'Show it on the page of the asset, as what is being done',
  onStatusPageDefault: 'With a new status or a promise',
  doneBy: 'Who does it',
  doneByHint: 'Residents see only that somebody is on it. A contact with an email address is written to.',
  nobody: 'Nobody yet',
  contact: (name: string, label: string, hasEmail: boolean) =>
    `${name}${label ? `, ${label}` : ''}${hasEmail ? '' : ' (no email address)'}`,
  keeper: (contact: string) => `Looks after it: ${contact}`,
  dueOn: 'To be done by',
  due: (day: string) => `to be done by ${day}`,
  overdue: (day: string) => `was to be done by ${day}`,
  isAssigned: 'Somebody is on it.',
  expected: (time: string) => `Expected back: ${time}`,
  meanwhile: 'The office has answered meanwhile',
  meanwhileMoved: 'A resident has said meanwhile whether it is fixed',
  meanwhileHint:
    'Nothing of yours was stored. What you typed is below, and what you left alone shows what holds now: change it or leave it, and send it again if it is still to be said.',
  both: (theirs: string, yours: string) => `now “${theirs}”; you typed “${yours}”, which is below.`,
  nothing: 'nothing',
  meanwhileBy: (name: string, time: string) => `${name}, ${time}:`,
  now: (status: string) => `The status is “${status}” now.`,
  template: 'Template',
  chooseTemplate: 'Choose a template',
  useTemplate: 'Use it',
  templates: {
    title: 'Templates for replies',
    intro:
      'Words the office uses often. They are offered where an incident is answered, and can be changed there.',
    none: 'There is no template yet.',
    create: 'Add a template',
    edit: (name: string) => `Template ${name}`,
    fields: {
      name: 'Name',
      wordsEn: 'Words in English',
      wordsEs: 'Words in Spanish',
      status: 'New status',
      statusReason: 'What is being done',
    },
    hints: {
      name: 'Only the office sees it.',
      wordsEn: 'Empty: it is not offered in this language.',
      wordsEs: 'Empty: it is not offered in this language.',
    },
  },
}

/** Merging duplicates, and undoing it. Entries are stored in the property's language, and everybody reads them. */
export const merging = {
  mergedEntry: (id: number) => `INC-${id} was merged into this incident: it is about the same thing.`,
  unmergedEntry: (id: number) => `INC-${id} was taken out of this incident again: they are two things.`,
  unmerge: (id: number) => `Undo: take INC-${id} out again`,
  unmergeHint: (minutes: number) =>
    count(minutes, {
      one: 'You can undo this for 1 more minute.',
      other: `You can undo this for ${minutes} more minutes.`,
    }),
  merge: 'It is a duplicate',
  mergeHint: 'Its followers are told and follow the other one from then on. You can undo it for ten minutes.',
  targetId: 'Which incident stays?',
  otherId: 'Or its number',
  find: 'Look for it by its words or number',
  findSend: 'Look',
  duplicates: 'Others are duplicates of it',
  duplicatesHint:
    'Their followers are told and follow this one from then on. You can undo it for ten minutes.',
  duplicateIds: 'Which are about the same thing?',
  noCandidates: 'Nothing alike was reported here around that time.',
  candidate: (id: number, title: string, place: string, time: string, status: string) =>
    `INC-${id}: ${title} (${place ? `${place}, ` : ''}${time}; ${status})`,
  preview: 'Show what this does',
  previewTitle: (n: number) => count(n, { one: 'Merge a duplicate', other: `Merge ${n} duplicates` }),
  into: (id: number, title: string) => `Into INC-${id}: ${title}`,
  goes: (id: number, title: string) => `INC-${id}: ${title}`,
  brings: (ids: readonly number[]) => `with ${ids.map((id) => `INC-${id}`).join(', ')}`,
  effects: 'What happens',
  closes: (n: number, id: number) =>
    count(n, {
      one: `It is closed and leads to INC-${id}, which shows what was said and pictured there.`,
      other: `They are closed and lead to INC-${id}, which shows what was said and pictured there.`,
    }),
  newFollowers: (n: number, id: number) =>
    n === 0
      ? `Nobody new follows INC-${id}: all who follow them do already.`
      : count(n, {
          one: `1 more person follows INC-${id} from then on.`,
          other: `${n} more people follow INC-${id} from then on.`,
        }),
  becomesDowntime: (id: number) =>
    `INC-${id} counts as out of service from then on, as what is merged does now.`,
  confirmHint: 'The followers are told. You can undo it for ten minutes.',
  staysWord: (name: string, status: string) => `${name}: shown as “${status}”, as now.`,
  changesWord: (name: string, before: string, after: string) =>
    `${name}: shown as “${after}”, now “${before}”.`,
  uptime: (days: number, before: string, after: string) =>
    before === after
      ? `Uptime in ${days} days: ${before} %, as now.`
      : `Uptime in ${days} days: ${before} % → ${after} %.`,
  send: (n: number) => count(n, { one: 'Merge it', other: `Merge all ${n}` }),
  back: 'Change nothing',
}
