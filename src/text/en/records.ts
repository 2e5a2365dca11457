import { undoMinutes } from '../../vocabulary/limits.js'
import { plural } from '../plural.js'

const count = plural('en')

/** The lists and forms of every record: search, archive, delete. */
export const records = {
  download: 'Download CSV',
  choose: 'Select…',
  noOne: 'None',
  archivedName: (name: string) => `${name} (archived)`,
  states: { false: 'In use', true: 'Archived', all: 'All' },
  archivedOn: (date: string) => `Archived on ${date}`,
  search: 'Search',
  searchList: 'Search this list',
  any: 'Any',
  show: 'Apply filters',
  noMatch: 'No results.',
  clear: 'Clear search',
  next: 'Show more',
  save: 'Save changes',
  yes: 'Yes',
  no: 'No',
  adminOnly: 'Only an admin can change this.',
  empty: 'nothing',
  now: 'Current value:',
  preview: 'Preview next dates',
  back: (to: string) => `Back to ${to}`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteTakes: 'This will also delete:',
  deleteBlocked: 'You can’t delete this because it’s used by:',
  deleteInstead: 'Move or delete these first.',
  deleteForGood: 'This cannot be undone.',
  deleteForNow: `You can undo this for ${undoMinutes} minutes.`,
  deleteYes: 'Yes, delete',
  cancel: 'Cancel',
  dependents: {
    assets: (n: number) => count(n, { one: '1 asset', other: `${n} assets` }),
    units: (n: number) => count(n, { one: '1 flat', other: `${n} flats` }),
    incidents: (n: number) => count(n, { one: '1 report', other: `${n} reports` }),
    people: (n: number) => count(n, { one: '1 person', other: `${n} people` }),
    windows: (n: number) =>
      count(n, { one: '1 piece of planned work', other: `${n} pieces of planned work` }),
    lookedAfter: (n: number) =>
      count(n, { one: '“Maintained by” on 1 asset', other: `“Maintained by” on ${n} assets` }),
    deliveries: (n: number) =>
      count(n, { one: '1 delivery in the log', other: `${n} deliveries in the log` }),
  },
}

/** What a page says at its top after a record was changed. */
export const recordNotices = {
  added: (name?: string) => (name ? `${name} added.` : 'Added.'),
  saved: 'Changes saved.',
  deleted: (name?: string) => (name ? `${name} deleted.` : 'Deleted.'),
  alreadyDeleted: 'Nothing changed. This has already been deleted.',
  undeleted: (name?: string) => (name ? `Deletion undone. ${name} is back.` : 'Deletion undone.'),
  alreadyBack: 'Nothing changed. The deletion has already been undone.',
  moved: 'Order changed.',
  archived: (name?: string) => (name ? `${name} archived.` : 'Archived.'),
  unarchived: (name?: string) => (name ? `${name} is in use again.` : 'Restored and in use again.'),
}
