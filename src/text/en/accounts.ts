import { linkPurposes } from '../../vocabulary/email/linkPurposes.js'
import { plural } from '../plural.js'

const count = plural('en')

/** What the text of a row's problem may mention. */
type At = { column?: string | null; value?: string | number }

/** The office's pages of people. */
export const people = {
  title: 'People',
  intro: 'Everyone with an account. New people get an email invitation.',
  none: 'No people yet.',
  create: 'Add a person',
  edit: (name: string) => name,
  remove: 'Delete this person',
  blocked:
    'Make the account inactive instead. No one will be able to sign in with it, and past reports will keep the name.',
  fields: {
    name: 'Name',
    email: 'Email',
    role: 'Role',
    unitId: 'Flat',
    locale: 'Language',
    active: 'Active',
    password: 'Password',
    state: 'Account',
    lastSeenAt: 'Last seen',
  },
  hints: {
    role: 'Board members, managers and admins can use the office pages. Only admins can manage people.',
    active: 'Inactive accounts can’t sign in.',
    password:
      'At least 12 characters. Leave blank to email an invitation to a new person, or to keep the current password.',
  },
  noUnit: 'None',
  state: { app: 'App account', active: 'Active', invited: 'No password set', inactive: 'Inactive' },
  history: {
    reports: (n: number) => count(n, { one: '1 report', other: `${n} reports` }),
    comments: (n: number) => count(n, { one: '1 comment', other: `${n} comments` }),
    acts: (n: number) => count(n, { one: '1 audit log entry', other: `${n} audit log entries` }),
  },
  appAccount: 'Reports sent from the mobile app use this account. You can’t change or delete it.',
  inviteAll: (n: number) => count(n, { one: 'Invite 1 person…', other: `Invite ${n} people…` }),
  inviteAllHint: 'We’ll email each of them a link to set a password, at most once a day.',
  invitations: {
    title: (n: number) =>
      count(n, { one: 'Email 1 person an invitation?', other: `Email ${n} people an invitation?` }),
    hint: 'We haven’t emailed anyone yet. Each person gets a link to set a password, which works for 7 days.',
    later: (n: number) =>
      count(n, {
        one: '1 more person can be invited after that.',
        other: `${n} more people can be invited after that.`,
      }),
    who: 'See who gets an invitation',
    send: (n: number) => count(n, { one: 'Send 1 invitation', other: `Send ${n} invitations` }),
  },
  inviteTitle: 'Invitation',
  inviteHint: `This person hasn’t set a password yet. The link in the invitation works for ${linkPurposes.invite.minutes / 1440} days.`,
  invite: 'Resend invitation',
  resetTitle: 'Password reset',
  resetHint: `We’ll email this person a link to reset their password. It works for ${linkPurposes.reset.minutes / 60} hour.`,
  reset: 'Send reset link',
  signOutTitle: 'Sessions',
  signOut: 'Sign out everywhere',
  lastSeen: (time: string) => `Last seen ${time}.`,
  neverSeen: 'Not signed in anywhere.',
}

/** The pages of one's own account. */
export const account = {
  title: 'Your account',
  tabs: { profile: 'Profile', notifications: 'Notifications', security: 'Security', data: 'Your data' },
  about: {
    title: 'Your details',
    name: 'Name',
    nameHint: 'Shown with your reports unless you hide it.',
    email: 'Email',
    emailHint: 'To change it, ask the building office.',
    role: 'Role',
    unit: 'Flat',
    noUnit: 'None',
    locale: 'Language',
  },
  followed: {
    title: 'Reports you follow',
    hint: 'Which updates do you want?',
    choice: {
      all: 'Everything: comments and status changes',
      status: 'Status changes only',
      nothing: 'Nothing',
    },
    single: 'Custom: see below',
  },
  notifications: {
    title: 'Notifications',
    hint: 'Choose how we tell you. “App” means the mobile app and browsers with notifications turned on.',
    what: 'Update',
    channel: { mail: 'Email', push: 'App' },
    box: (what: string, channel: string) => `${what}: ${channel}`,
  },
  browsers: {
    title: 'Browser notifications',
    hint: 'Get notifications in this browser, even when this page is closed. It uses the “App” choices above.',
    none: 'No browsers yet.',
    ask: 'Turn on notifications',
    asking: 'Allow notifications when your browser asks.',
    cannot:
      'This browser can’t show notifications here. You need an https address; on an iPhone or iPad, add the status page to the Home Screen and open it there.',
    refused: 'Notifications are blocked. Allow them in your browser settings, then reload this page.',
    failed: 'That didn’t work. Try again in a few minutes.',
    since: (time: string) => `on since ${time}`,
    remove: 'Turn off notifications',
    removeOne: (device: string, time: string) => `Turn off notifications on ${device}, on since ${time}`,
  },
  password: {
    title: 'Password',
    current: 'Current password',
    next: 'New password',
    hint: 'At least 12 characters. Try three random words.',
    ends: 'You’ll stay signed in here and be signed out everywhere else.',
    save: 'Change password',
  },
  sessions: {
    title: 'Where you’re signed in',
    here: 'this device',
    device: (browser: string | null, system: string | null) => {
      if (browser && system) return `${browser} on ${system}`
      return browser ?? system ?? 'Unknown device'
    },
    lastSeen: (time: string) => `last seen ${time}`,
    since: (time: string) => `signed in ${time}`,
    all: (n: number) => `Show all ${n}`,
    endOne: (device: string, time: string) => `Sign out ${device}, last seen ${time}`,
    endOthers: 'Sign out everywhere else',
    only: 'You’re not signed in anywhere else.',
  },
}

/** What is kept about a person, and its erasure (decision 7.31). */
export const personData = {
  title: 'Your data',
  intro:
    'What you’ve reported and written, what you follow, where you’re signed in, and what you’ve done here.',
  ofOne: 'This person’s data',
  ofOneHint: 'Use this when someone asks for their data, or asks you to delete it.',
  download: 'Download data (JSON)',
  erase: 'Delete account and data',
  eraseTitle: 'Delete your account?',
  eraseOne: (name: string) => `Delete ${name}’s account and data?`,
  goes: 'We’ll permanently delete:',
  points: [
    'name, email address, flat and password',
    'sessions, sign-in links, two-step sign-in, single sign-on and phones',
    'the list of reports and equipment followed, and all unsent emails',
  ],
  stays:
    'Reports, comments, photos and audit log entries stay, shown as “Deleted person”. Before deleting, ask the office to hide any text that names the author. Existing backups aren’t changed.',
  forGood: 'This cannot be undone.',
  eraseYes: 'Yes, delete this account',
}

/** Importing flats, contacts and residents from a sheet. */
export const imports = {
  title: 'Import from a spreadsheet',
  intro: 'Upload a CSV file. You can check the changes before anything is saved.',
  kind: 'What do you want to import?',
  kinds: { units: 'Flats', contacts: 'Contacts', residents: 'Residents' },
  file: 'CSV file',
  fileHint: 'Up to 10,000 rows and 2 MB, with commas, semicolons or tabs between the cells.',
  paste: 'Or paste the cells here',
  pasteHint: 'Include the header row. If you also upload a file, we use the file.',
  invite: 'Send invitations to new people',
  check: 'Check file',
  columnsTitle: 'Columns',
  columns: {
    units: 'Each row is a flat, matched by tower and number. Add the towers first.',
    contacts:
      'Each row is a contact, matched by name and role or description. An empty cell clears the field. A missing column leaves it unchanged.',
    residents:
      'Each row is a person, matched by email address. New people can sign in once they’ve been invited. If no two towers have the same flat number, you can leave out the tower.',
  },
  needed: 'required',
  canBeMissing: 'optional',
  example: 'For example',
  examples: {
    units: 'tower,number,floor\nNorth Tower,1204,12\nNorth Tower,1205,12',
    contacts:
      'name,label,phone,email,notes\nLift company,Day and night,+49 30 1234567,lifts@example.com,Contract 77-1',
    residents: 'name,email,tower,unit\nAda Lovelace,ada@example.com,North Tower,1204',
  },
  wrongRows: (n: number) => count(n, { one: '1 error to fix', other: `${n} errors to fix` }),
  nothingStored: 'Nothing has been saved. Fix the rows in the file or below, then check again.',
  moreProblems: (n: number) => count(n, { one: 'And 1 more.', other: `And ${n} more.` }),
  row: 'Row',
  rowNumber: (row: number, line: number) =>
    row === line ? `Row ${row}` : `Row ${row} (line ${line} of the file)`,
  column: 'Column',
  wholeRow: 'whole row',
  problem: 'Error',
  previewTitle: (kind: 'units' | 'contacts' | 'residents') =>
    ({ units: 'Import flats', contacts: 'Import contacts', residents: 'Import residents' })[kind],
  nothingYet: 'Nothing has been saved yet.',
  counts: { created: 'New', updated: 'Changed', unchanged: 'Unchanged' },
  ignored: (columns: string[]) => `These columns aren’t imported: ${columns.join(', ')}.`,
  changedTitle: 'Changes',
  madeTitle: 'New rows',
  what: 'Item',
  change: 'Change',
  empty: 'nothing',
  moreRows: (n: number) => count(n, { one: 'And 1 more row.', other: `And ${n} more rows.` }),
  store: (n: number) => count(n, { one: 'Import 1 row', other: `Import ${n} rows` }),
  nothingToDo: 'Nothing new to import.',
  other: 'Choose another file',
  done: (created: number, updated: number, unchanged: number) =>
    `Import done: ${created} new, ${updated} changed, ${unchanged} unchanged.`,
  see: 'See the list',
  fields: {
    number: 'Number',
    floor: 'Floor',
    archivedAt: 'Archived on',
    name: 'Name',
    label: 'Role or description',
    phone: 'Phone',
    email: 'Email',
    notes: 'Notes',
    unitId: 'Flat',
  },
  rowProblems: {
    column_missing: ({ column }: At) => `The column “${column}” is missing. Add it to the header row.`,
    column_twice: ({ column }: At) => `Two columns are named “${column}”. Keep one of them.`,
    no_rows: () => 'There are no rows below the header row. Add some.',
    too_many_rows: ({ value }: At) =>
      `There are more than ${Number(value).toLocaleString('en')} rows. Import the rest as a second file.`,
    quote_open: () => 'A quotation mark isn’t closed. Close it or remove it.',
    too_many_cells: ({ value }: At) =>
      `There are more cells than the ${value} columns. Put quotation marks around text that contains a comma.`,
    empty: () => 'This can’t be empty.',
    too_long: ({ value }: At) => `Use ${Number(value).toLocaleString('en')} characters or fewer.`,
    not_email: ({ value }: At) => `“${value}” isn’t an email address.`,
    not_floor: ({ value }: At) =>
      `“${value}” isn’t a floor. Enter a whole number from -20 to 300. 0 is the ground floor.`,
    repeated: ({ value }: At) => `This is the same as row ${value}. Keep one of them.`,
    tower_unknown: ({ value }: At) =>
      value
        ? `There’s no tower with this name. Use one of these: ${value}.`
        : 'There are no towers yet. Add them first, under Towers.',
    unit_unknown: ({ value }: At) =>
      `We couldn’t find a flat “${value}” in use. Correct the number, or add the flat first.`,
    unit_ambiguous: ({ value }: At) => `More than one tower has a flat “${value}”. Add a “tower” column.`,
    unit_without_number: () => 'There’s a tower, but no flat number. Add the number, or clear this cell.',
    contact_ambiguous: ({ value }: At) =>
      `There are several contacts named “${value}”. Add a “label” column to tell them apart, or rename them on the contacts page.`,
    not_a_resident: ({ value }: At) =>
      `“${value}” is the address of an account that isn’t a resident’s. Remove this row and change the account under People.`,
    resident_inactive: ({ value }: At) =>
      `The account of “${value}” is inactive. Remove this row, or make the account active under People.`,
    name_unseen: () => 'This name contains hidden characters. Remove them.',
    name_reserved: ({ value }: At) =>
      `“${value}” is reserved for the service or the building. Enter the person’s own name.`,
  },
}

/** What is wrong with a field of the import form. */
export const importFields = {
  csv_required: 'Choose a file, or paste the cells',
  csv_too_large: 'The file is larger than 2 MB. Split it into several files',
  kind_required: 'Choose what to import',
  kind_unknown: 'Choose flats, contacts or residents',
  dryRun_not_boolean: 'dryRun must be true or false',
}

/** Problems of imports. */
export const importProblems = {
  import_refused: {
    title: 'Some rows can’t be imported',
    detail: 'Nothing has been saved. Fix the rows listed and send the file again.',
  },
  export_busy: {
    title: 'Downloads are busy',
    detail: 'Try again in a minute.',
  },
}
