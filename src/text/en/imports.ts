import { plural } from '../plural.js'

const count = plural('en')

/** What the text of a row's problem may mention. */
type At = { column?: string | null; value?: string | number }

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
      'name,label,phone,email,hoursWeekdays,hoursSaturday,hoursSunday,isPublic,notes\nLift company,Lift repairs,+49 30 1234567,lifts@example.com,24h,24h,24h,yes,Contract 77-1',
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
    hoursWeekdays: 'Hours Monday to Friday',
    hoursSaturday: 'Hours on Saturday',
    hoursSunday: 'Hours on Sunday',
    notes: 'Notes',
    isPublic: 'Public',
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
    not_hours: ({ value }: At) => `“${value}” isn’t a time like 08:00–17:00, or 24h.`,
    not_yes_no: ({ value }: At) => `“${value}” is neither yes nor no.`,
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
}
