import { plural } from '../plural.js'

const count = plural('en')

/** The office's pages of planned work, assets, flats, the building and repair costs. */
export const upkeep = {
  choose: 'Choose',
  archivedName: (name: string) => `${name} (archived)`,
  states: { false: 'In use', true: 'Archived', all: 'All' },
  archivedOn: (date: string) => `Archived on ${date}`,
  maintenance: {
    title: 'Planned work',
    intro: 'Everybody sees it on the status page 30 days ahead. It does not count against uptime.',
    none: 'No work is planned yet.',
    create: 'Plan work',
    edit: (name: string) => name,
    remove: 'Delete this planned work',
    fields: {
      assetId: 'Asset',
      assetName: 'Asset',
      title: 'Title',
      startsAt: 'Begins',
      endsAt: 'Ends',
      recurrence: 'How often',
      notes: 'Notes',
      next: 'Next date',
      state: 'When',
    },
    hints: {
      title: 'Everybody reads it. For example: Yearly lift inspection',
      startsAt: 'Date and time in the building.',
      recurrence:
        'It keeps its time of day when the clocks change. Monthly on the 29th to 31st falls on the last day of shorter months.',
      notes: 'For the office: who comes, what they need.',
    },
    states: { coming: 'Now or to come', over: 'Over' },
    over: 'Over',
    past: (n: number) =>
      count(n, {
        one: 'Uptime of the past changes: 1 date that has begun no longer counts as planned work.',
        other: `Uptime of the past changes: ${n} dates that have begun no longer count as planned work.`,
      }),
    nextDates: 'The next dates',
    noDates: 'There is no date to come: it is over.',
    notSaved: 'Nothing is saved yet.',
  },
  assets: {
    title: 'Assets',
    intro:
      'What everybody uses and can report: lifts, doors, pumps. The status page shows them in this order.',
    none: 'There is no asset yet.',
    create: 'Add an asset',
    edit: (name: string) => name,
    remove: 'Delete this asset',
    blocked: 'What happened to it must stay known. Archive it instead.',
    archive: {
      title: 'Out of use for good?',
      hint: 'Archived, it vanishes from the status page, the report form and the posters. Its incidents and costs stay.',
      send: 'Archive this asset',
      archivedTitle: 'It is archived',
      archivedHint:
        'It is on no status page, report form or poster. Its incidents and costs are still there.',
      unarchive: 'Take it into use again',
    },
    fields: {
      towerId: 'Tower',
      towerName: 'Tower',
      name: 'Name',
      category: 'Kind',
      code: 'Code',
      description: 'Description',
      sortOrder: 'Place in lists',
      archived: 'State',
      archivedAt: 'State',
    },
    hints: {
      name: 'As people in the building call it.',
      category: 'For example: Lift, Door entry, Boiler',
      code: 'What stands on it or in your contracts. You can leave this empty.',
      description: 'Everybody can read it: where it is, what it serves.',
      sortOrder: 'Smaller numbers come first within the tower.',
    },
  },
  units: {
    title: 'Flats',
    intro: 'Where people live. Reports about something inside a flat name it.',
    none: 'There is no flat yet.',
    create: 'Add a flat',
    edit: (name: string) => name,
    remove: 'Delete this flat',
    blocked: 'Archive it instead, so that what happened stays known.',
    archive: {
      title: 'Not a flat any more?',
      hint: 'Archived, it cannot be chosen for reports any more. Its incidents stay, and so do the accounts of the people who live there.',
      send: 'Archive this flat',
      archivedTitle: 'It is archived',
      archivedHint: 'It cannot be chosen for reports. Its incidents are still there.',
      unarchive: 'Take it into use again',
    },
    fields: {
      towerId: 'Tower',
      towerName: 'Tower',
      number: 'Number',
      floor: 'Floor',
      people: 'People with an account',
      archived: 'State',
      archivedAt: 'State',
    },
    hints: { number: 'As on the door: 1204 or 12A.', floor: '0 is the ground floor; below it, use minus.' },
  },
  property: {
    title: 'Building',
    edit: () => 'Building',
    fields: {
      name: 'Name',
      address: 'Address',
      timezone: 'Time zone',
      currency: 'Currency',
      locale: 'Language',
      secondFactorRequired: 'Second factor is asked',
    },
    hints: {
      name: 'At the top of every page and mail.',
      address: 'At the foot of every page.',
      timezone:
        'For example Europe/London. Days, planned work that repeats and uptime follow it, those of the past as well.',
      currency: 'Of repair costs. Amounts that are there already are not converted.',
      locale: 'Of what is written to nobody in particular, such as posters.',
      secondFactorRequired:
        'A code of an app besides the password. Staff without one find the office closed until they set it up; you need yours first.',
    },
  },
  costs: {
    title: 'Repair costs',
    none: 'No costs are entered.',
    add: 'Add a cost',
    send: 'Add this cost',
    void: 'Void',
    voidThis: (amount: string) => `Void the cost of ${amount}`,
    voided: (name: string | null, date: string) => `Voided by ${name}, ${date}`,
    sum: (amount: string) => `Together: ${amount}`,
    ofDuplicate: (id: number) => `Entered on INC-${id}`,
    amountIn: (currency: string) => `Amount in ${currency}`,
    fields: {
      amount: 'Amount',
      incurredOn: 'Day',
      vendor: 'Paid to',
      invoiceRef: 'Invoice number',
      costNote: 'Note',
      enteredBy: 'Entered by',
      act: 'Void',
    },
    hints: { amount: (example: string) => `For example ${example}` },
  },
  assetPage: {
    title: 'For the office',
    change: 'Change this asset',
    plan: 'Plan work on it',
    costs: 'Repair costs of the last 12 months',
    noCosts: 'No repair costs in the last 12 months.',
    chart: (sum: string, month: string, most: string) => `${sum} together; the most in ${month}: ${most}.`,
    table: 'Costs and faults by month',
    month: 'Month',
    cost: 'Costs',
    faults: 'Faults',
    repeats: 'Broke again',
    repeatsHint: (n: number) =>
      count(n, {
        one: '1 fault in the last 365 days came within 30 days of a repair.',
        other: `${n} faults in the last 365 days came within 30 days of a repair.`,
      }),
    noRepeats: 'Nothing broke again within 30 days of a repair in the last 365 days.',
    after: (days: number) =>
      days === 0
        ? 'Less than a day after the repair of'
        : count(days, { one: '1 day after the repair of', other: `${days} days after the repair of` }),
  },
}
