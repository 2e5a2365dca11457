import { plural } from '../plural.js'

const count = plural('en')

/** What goes in and out as a file or on paper: exports, posters, imports. */
export const exchange = {
  download: 'Save these as a spreadsheet (CSV)',
  posters: {
    title: 'Stickers to print',
    intro:
      'One for each asset. Whoever scans its code comes to the report form with the asset already chosen.',
    size: 'Paper',
    sizes: { a4: 'A4', letter: 'US Letter' },
    tower: 'Tower',
    allTowers: 'All towers',
    opens: (origin: string) => `The codes open ${origin}.`,
    onlyHere: (origin: string) =>
      `The codes open ${origin}, which only this computer can reach. Set PUBLIC_URL to the address people use before you print.`,
    none: 'There is no asset here to make a sticker for.',
    count: (stickers: number, sheets: number) =>
      count(sheets, {
        one: `${stickers} stickers on 1 sheet.`,
        other: `${stickers} stickers on ${sheets} sheets.`,
      }),
    how: 'Print this page at its actual size (100 %), without headers and footers, and cut along the dashed lines.',
    scan: 'Broken? Scan to report',
    opensLink: (link: string) => `QR code that opens ${link}`,
    number: (id: number) => `No. ${id}`,
  },
  imports: {
    title: 'Import from a spreadsheet',
    intro:
      'Save the sheet as CSV and choose it here. You see what would happen first; then all rows are stored, or none.',
    kind: 'What is in the sheet?',
    kinds: { units: 'Flats', contacts: 'Contacts', residents: 'Residents' },
    file: 'The file',
    fileHint: 'Up to 10,000 rows and 2 MB, as CSV with commas, semicolons or tabs between the cells.',
    paste: 'Or paste the cells here',
    pasteHint: 'With the row of column names. A file counts more than what is pasted.',
    invite: 'Send invitations to the new ones',
    check: 'Check the rows',
    columnsTitle: 'What the first row must say',
    columns: {
      units: 'Each row is a flat, found again by tower and number. The towers must be there already.',
      contacts:
        'Each row is an entry of the contacts page, found again by name and by what it is for. An empty cell empties the field; a column that is missing leaves it as it is.',
      residents:
        'Each row is a person, found again by email address. New ones can sign in once they have been invited. Without a tower, the number of the flat is enough where no two towers share it.',
    },
    needed: 'needed',
    canBeMissing: 'can be missing',
    example: 'For example',
    examples: {
      units: 'tower,number,floor\nNorth Tower,1204,12\nNorth Tower,1205,12',
      contacts:
        'name,label,phone,email,notes\nLift company,Day and night,+49 30 1234567,lifts@example.com,Contract 77-1',
      residents: 'name,email,tower,unit\nAda Lovelace,ada@example.com,North Tower,1204',
    },
    wrongRows: (n: number) =>
      count(n, { one: '1 thing has to be put right', other: `${n} things have to be put right` }),
    nothingStored: 'Nothing was stored. Correct these in the sheet, or below, and check it again.',
    moreProblems: (n: number) => count(n, { one: 'And 1 more.', other: `And ${n} more.` }),
    row: 'Where',
    rowNumber: (row: number, line: number) =>
      row === line ? `Row ${row}` : `Row ${row} (line ${line} of the file)`,
    column: 'Column',
    wholeRow: 'whole row',
    problem: 'What to do',
    previewTitle: (kind: 'units' | 'contacts' | 'residents') =>
      ({ units: 'Import flats', contacts: 'Import contacts', residents: 'Import residents' })[kind],
    nothingYet: 'Nothing is stored yet.',
    counts: { created: 'New', updated: 'Changed', unchanged: 'Unchanged' },
    ignored: (columns: string[]) => `These columns are not imported: ${columns.join(', ')}.`,
    changedTitle: 'What changes',
    madeTitle: 'What is new',
    what: 'What',
    change: 'Change',
    empty: 'nothing',
    moreRows: (n: number) => count(n, { one: 'And 1 more row.', other: `And ${n} more rows.` }),
    store: (n: number) => count(n, { one: 'Import 1 row', other: `Import ${n} rows` }),
    nothingToDo: 'Everything in the sheet is here already. There is nothing to import.',
    other: 'Choose another sheet',
    done: (created: number, updated: number, unchanged: number) =>
      `The import is done: ${created} new, ${updated} changed, ${unchanged} unchanged.`,
    see: 'See the list',
    fields: {
      number: 'Number',
      floor: 'Floor',
      archivedAt: 'Out of use since',
      name: 'Name',
      label: 'What they are for',
      phone: 'Phone',
      email: 'Email',
      notes: 'Notes',
      unitId: 'Flat',
    },
    rowProblems: {
      column_missing: ({ column }: At) =>
        `There is no column named “${column}”. Name one so in the first row.`,
      column_twice: ({ column }: At) => `Two columns are named “${column}”. Keep one of them.`,
      no_rows: () => 'There is no row below the column names. Add some.',
      too_many_rows: ({ value }: At) =>
        `There are more than ${Number(value).toLocaleString('en')} rows. Import the rest as a second file.`,
      quote_open: () => 'A quotation mark opens here and is never closed. Close it, or take it out.',
      too_many_cells: ({ value }: At) =>
        `There are more cells than the ${value} columns. Put text with a comma into quotation marks.`,
      empty: () => 'This must not be empty.',
      too_long: ({ value }: At) => `Write at most ${Number(value).toLocaleString('en')} characters.`,
      not_email: ({ value }: At) => `“${value}” is no email address. Correct it.`,
      not_floor: ({ value }: At) =>
        `“${value}” is no floor. Write a whole number from -20 to 300; 0 is the ground floor.`,
      repeated: ({ value }: At) => `This is the same as row ${value}. Keep one of the two.`,
      tower_unknown: ({ value }: At) =>
        value
          ? `There is no such tower. These are known: ${value}.`
          : 'There is no tower yet. Add it first, under Towers.',
      unit_unknown: ({ value }: At) =>
        `There is no flat “${value}” in use there. Correct the number, or add the flat first.`,
      unit_ambiguous: ({ value }: At) =>
        `Several towers have a flat “${value}”. Say which, in a column named “tower”.`,
      unit_without_number: () => 'There is a tower, but no number of a flat. Add it, or empty this cell.',
      contact_ambiguous: ({ value }: At) =>
        `There are several contacts named “${value}”. Add a column “label” that tells them apart, or change them on the contacts page.`,
      not_a_resident: ({ value }: At) =>
        `“${value}” is the address of an account that is not a resident’s. Take this row out and change it under People.`,
      resident_inactive: ({ value }: At) =>
        `The account of “${value}” is switched off. Take this row out, or switch it on again under People.`,
      name_unseen: () =>
        'This name has characters that cannot be seen, such as marks of direction. Take them out.',
      name_reserved: ({ value }: At) =>
        `“${value}” stands for the service or the building. Write the person’s own name.`,
    },
  },
}

/** What the text of a row's problem may mention. */
type At = { column?: string | null; value?: string | number }

/** What is wrong with a field of the import form. */
export const exchangeFields = {
  csv_required: 'Choose a file, or paste the cells',
  csv_too_large: 'The sheet is larger than 2 MB. Split it into several files',
  kind_required: 'Choose what is in the sheet',
  kind_unknown: 'Choose flats, contacts or residents',
  dryRun_not_boolean: 'dryRun must be true or false',
}

/** Problems of imports. */
export const exchangeProblems = {
  import_refused: {
    title: 'Some rows cannot be imported',
    detail: 'Nothing was stored. Correct the rows that are named and send the sheet again.',
  },
  export_busy: {
    title: 'Others are saving files right now',
    detail: 'Two large files are being made already. Wait a moment and try again.',
  },
}

/** What is kept about a person, and its erasure (decision 7.31). */
export const personData = {
  title: 'What is kept about you',
  intro: 'What you reported and wrote, what you follow, where you are signed in, and what you did here.',
  ofOne: 'What is kept about this person',
  ofOneHint: 'For a person who asks for it, or who wants to be forgotten.',
  download: 'Download all of it as JSON, with the addresses of photos',
  erase: 'Erase this account',
  eraseTitle: 'Erase your account?',
  eraseOne: (name: string) => `Erase ${name}?`,
  goes: 'This goes for good:',
  points: [
    'name, email address, flat and password',
    'sessions, links to sign in, the second factor, single sign-on and phones',
    'everything followed, and all mails that wait',
  ],
  stays:
    'Reports, comments and photos stay, as others rely on them, and are shown with “Deleted person” instead of the name; so are the entries of the log. Ask the office first to hide a text that tells who wrote it. Backups that were made before are not changed.',
  forGood: 'It cannot be undone.',
  eraseYes: 'Yes, erase it',
}
