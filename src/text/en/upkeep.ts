import { plural } from '../plural.js'

const count = plural('en')

/** The office's pages about the building and what is in it: planned work, assets, flats, the building, repair costs. */
export const upkeep = {
  choose: 'Choose',
  archivedName: (name: string) => `${name} (archived)`,
  states: { false: 'In use', true: 'Archived', all: 'All' },
  archived: (date: string) => `Archived on ${date}`,
  inUse: 'In use',
  maintenance: {
    title: 'Planned work',
    intro: 'Everybody sees it on the status page 30 days ahead. It does not count against uptime.',
    none: 'No work is planned yet.',
    create: 'Plan work',
    edit: (name: string) => name,
    remove: 'Delete this planned work',
    fields: {
      assetId: 'What it is about',
      assetName: 'What it is about',
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
}
