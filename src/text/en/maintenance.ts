import { plural } from '../plural.js'

const count = plural('en')

/** The office's pages of planned work. */
export const maintenance = {
  title: 'Planned work',
  intro: 'The status page shows planned work 30 days ahead. Planned work doesn’t affect uptime.',
  none: 'No planned work yet.',
  create: 'Plan work',
  edit: (name: string) => name,
  remove: 'Delete this planned work',
  fields: {
    assetId: 'Asset',
    assetName: 'Asset',
    title: 'Title',
    startsAt: 'Starts',
    endsAt: 'Ends',
    recurrence: 'Repeats',
    until: 'Repeat until',
    notes: 'Staff notes',
    next: 'Next date',
    state: 'Status',
  },
  hints: {
    title: 'Public. For example: annual lift inspection',
    startsAt: 'Date and time in the building’s time zone.',
    recurrence:
      'The start time stays the same when the clocks change. Monthly work on the 29th, 30th or 31st takes place on the last day of shorter months.',
    until: 'Leave blank to repeat indefinitely.',
    notes: 'Only staff can see these: who is coming, what they need.',
  },
  states: { coming: 'Current and upcoming', over: 'Past' },
  over: 'Past',
  past: (n: number) =>
    count(n, {
      one: 'This changes past uptime: 1 date will no longer count as planned work.',
      other: `This changes past uptime: ${n} dates will no longer count as planned work.`,
    }),
  endInstead: 'To keep past dates, open this work and end the series instead.',
  nextDates: 'Next dates',
  noDates: 'No future dates.',
  notSaved: 'Nothing has been saved yet.',
  dates: {
    title: 'Next dates',
    hint: 'Changes apply to future dates only.',
    skip: 'Skip date',
    skipThis: (when: string) => `Skip ${when}`,
    move: 'Move date',
    moveThis: (when: string) => `Move ${when}`,
    undo: 'Restore date',
    undoThis: (when: string) => `Restore ${when}`,
    skipped: 'Skipped',
    movedFrom: (when: string) => `Moved from ${when}`,
    begun: 'In progress',
  },
  move: {
    title: (name: string) => `Move one date: ${name}`,
    planned: (when: string) => `Planned for ${when}. Only this date moves.`,
    begun: 'This work has started: you can only change when it ends.',
    send: 'Move date',
  },
  end: {
    title: 'End this series?',
    hint: 'This removes all future dates. Past dates stay in the history.',
    send: 'End series',
  },
}

/** After planned work was changed. */
export const maintenanceNotices = {
  workAdded: (name?: string) =>
    name ? `${name} added. Residents can see it now.` : 'Added. Residents can see it now.',
  dateMoved: 'Date moved.',
  skipped: 'Date skipped.',
  restored: 'Date restored.',
  ended: 'Series ended. Past dates stay in the history.',
}
