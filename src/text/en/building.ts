import { plural } from '../plural.js'

const count = plural('en')

/** An asset's page. */
export const asset = {
  uptime: 'Time in service',
  last30Days: 'Last 30 days',
  last90Days: 'Last 90 days',
  about: 'About',
  contact: 'Maintained by',
  noIncidents: 'No reports yet.',
  history: 'Day-by-day history',
  date: 'Date',
  status: 'Status',
  year: 'Last 365 days',
  cost: 'Repair costs',
  downtime: 'Downtime',
  hours: (n: number, figure: string) => count(n, { one: `${figure} hour`, other: `${figure} hours` }),
}

/** The office's part of an asset's page. */
export const assetPage = {
  title: 'Staff only',
  change: 'Edit this asset',
  plan: 'Plan work for this asset',
  costs: 'Repair costs of the last 12 months',
  noCosts: 'No repair costs in the last 12 months.',
  chart: (sum: string, month: string, most: string) => `Total: ${sum}. Highest in ${month}: ${most}.`,
  table: 'Costs and faults by month',
  month: 'Month',
  cost: 'Costs',
  faults: 'Faults',
  repeats: 'Repeat faults',
  repeatsHint: (n: number) =>
    count(n, {
      one: '1 repeat fault within 30 days of a repair (last 365 days).',
      other: `${n} repeat faults within 30 days of a repair (last 365 days).`,
    }),
  noRepeats: 'No repeat faults within 30 days of a repair (last 365 days).',
  after: (days: number) =>
    days === 0
      ? 'Less than a day after the repair of'
      : count(days, { one: '1 day after the repair of', other: `${days} days after the repair of` }),
}

/** The page of contacts. */
export const contactsPage = {
  call: (name: string) => `Call ${name}`,
  openNow: 'open now',
  closedNow: 'closed now',
}

/** When a contact can be reached. */
export const openingHours = {
  always: '24 hours',
  allDay: 'all day',
  everyDay: (times: string) => `every day ${times}`,
  weekdays: (times: string) => `Mon–Fri ${times}`,
  toSaturday: (times: string) => `Mon–Sat ${times}`,
  weekend: (times: string) => `Sat–Sun ${times}`,
  saturday: (times: string) => `Sat ${times}`,
  sunday: (times: string) => `Sun ${times}`,
}

/** The office's pages of assets. */
export const assets = {
  title: 'Assets',
  intro: 'Shared equipment that people can report problems with, in the order of the status page.',
  none: 'No assets yet.',
  create: 'Add an asset',
  edit: (name: string) => name,
  remove: 'Delete this asset',
  blocked: 'To keep its history, archive this asset instead.',
  archive: {
    title: 'Archive this asset',
    hint: 'Removes the asset from the status page, report form and stickers. Its reports and costs are kept.',
    send: 'Archive asset',
    archivedTitle: 'This asset is archived',
    archivedHint:
      'It isn’t on the status page, report form or stickers. Its reports and costs have been kept.',
    unarchive: 'Restore asset',
  },
  fields: {
    towerId: 'Tower',
    towerName: 'Tower',
    name: 'Name',
    category: 'Type',
    code: 'Asset number',
    description: 'Description',
    sortOrder: 'Display order',
    contactId: 'Maintained by',
    contactName: 'Maintained by',
    archived: 'Status',
    archivedAt: 'Status',
  },
  hints: {
    name: 'The name people in the building use.',
    category: 'For example: Lift, Door entry, Boiler',
    code: 'Number on the label or in your contract (optional)',
    description: 'Public: where it is and what it serves.',
    contactId:
      'One of your contacts. Anyone with an account can see it on the asset page; everyone can if it’s public.',
    sortOrder: 'Smaller numbers come first within the tower. New assets without a number come last.',
  },
}

/** Of flats. */
export const units = {
  title: 'Flats',
  intro: 'Where people live. People can report problems inside a flat.',
  none: 'No flats yet.',
  create: 'Add a flat',
  edit: (name: string) => name,
  remove: 'Delete this flat',
  blocked: 'To keep its history, archive this flat instead.',
  archive: {
    title: 'Archive this flat',
    hint: 'Removes the flat from the report form. Its reports are kept, and so are the accounts of the people who live there.',
    send: 'Archive flat',
    archivedTitle: 'This flat is archived',
    archivedHint: 'It can’t be selected in new reports. Its past reports have been kept.',
    unarchive: 'Restore flat',
  },
  fields: {
    towerId: 'Tower',
    towerName: 'Tower',
    number: 'Number',
    floor: 'Floor',
    people: 'People with an account',
    archived: 'Status',
    archivedAt: 'Status',
  },
  hints: {
    number: 'As on the door: 1204 or 12A.',
    floor: '0 is the ground floor. Use minus for floors below it.',
  },
}

/** Of towers. */
export const towers = {
  title: 'Towers',
  firstTower: 'Main building',
  intro: 'Assets and flats are grouped by tower. If your building isn’t divided, one is enough.',
  none: 'No towers yet.',
  create: 'Add a tower',
  edit: (name: string) => `Tower: ${name}`,
  remove: 'Delete this tower',
  fields: { name: 'Name', sortOrder: 'Display order', assets: 'Assets', units: 'Flats' },
  hints: { sortOrder: 'Smaller numbers come first. New towers without a number come last.' },
}

/** Of contacts. */
export const contacts = {
  title: 'Contacts',
  intro: 'Shown on the contacts page in this order. The emergency number is on every page.',
  none: 'No contacts yet.',
  create: 'Add a contact',
  edit: (name: string) => name,
  remove: 'Delete this contact',
  fields: {
    name: 'Name',
    label: 'Role or description',
    phone: 'Phone',
    email: 'Email',
    hoursWeekdays: 'Hours Monday to Friday',
    hoursSaturday: 'Hours on Saturday',
    hoursSunday: 'Hours on Sunday',
    notes: 'Notes',
    sortOrder: 'Display order',
    isEmergency: 'Emergency number',
    isPublic: 'Public',
    order: 'Order',
  },
  hints: {
    label: 'For example: Lift company',
    phone: 'Include the country code.',
    hoursWeekdays:
      'For example 08:00–17:00, or 09:00–13:00, 15:00–18:00. All day: 24h. Overnight: 17:00–08:00.',
    hoursSaturday: 'If there are no hours on any day, we show none.',
    notes: 'When to call, what to have ready',
    sortOrder: 'Smaller numbers come first.',
    isEmergency:
      'Shown on every page, for anyone trapped or in danger. If there are several, we show the one that’s open now.',
    isPublic:
      'Everyone can see it on the pages of the assets it maintains. If not, only people with an account can.',
  },
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
}

/** The settings of the building. */
export const property = {
  title: 'Building settings',
  edit: () => 'Building settings',
  fields: {
    name: 'Name',
    address: 'Address',
    timezone: 'Time zone',
    currency: 'Currency',
    locale: 'Language',
    secondFactorRequired: 'Two-step sign-in',
    officePhone: 'Office phone number',
    emergencyNumber: 'Number for fire and injury',
    unitVisibility: 'Who can see flat numbers on reports?',
    emailVisibility: 'When do emailed reports become public?',
    signUp: 'Who can create accounts?',
  },
  hints: {
    name: 'Shown at the top of every page and email.',
    address: 'Shown at the bottom of every page.',
    timezone:
      'For example Europe/London. Used for all dates, repeating work and uptime, including past uptime.',
    currency: 'For repair costs. Existing amounts aren’t converted.',
    locale: 'Used for stickers and the lobby screen.',
    secondFactorRequired:
      'A code from an app as well as the password. Staff must set it up before they can use the office pages. Set up yours first.',
    officePhone: 'Public (optional). People without an account can call it.',
    emergencyNumber:
      'Shown on every page. If it’s empty, we use the number of your time zone’s country, like 999, 112 or 911.',
    unitVisibility: 'Everyone else sees only the tower: on pages, in emails and in the app.',
    emailVisibility: 'If the office approves them first, only staff can read them until then.',
    signUp:
      'If anyone can, people who sign in by email get a resident account. You can change this at any time.',
  },
}

/** The checklist of a new building. */
export const setupSteps = {
  title: 'Setup steps',
  intro: 'Set up your building step by step.',
  allDone: 'You’re set up.',
  link: 'Finish setting up your building',
  done: 'Done',
  toDo: 'To do',
  progress: (done: number, all: number) => `${done} of ${all} done.`,
  next: (step: string) => `Next: ${step}`,
  dismiss: 'Hide setup steps',
  steps: {
    name: { title: 'Name and address', hint: 'Shown on every page, email and sticker.' },
    zone: { title: 'Time zone and language', hint: 'Used for all dates and times.' },
    towers: { title: 'Towers', hint: 'We’ve added one. Rename it, or add the others.' },
    assets: { title: 'Assets', hint: 'Lifts, doors, pumps: anything shared that can break.' },
    units: { title: 'Flats', hint: 'Import them all from a spreadsheet.' },
    contacts: { title: 'Emergency number', hint: 'Shown on every page.' },
    officePhone: {
      title: 'Office phone number',
      hint: 'People without an account call it: only the office can give them one.',
    },
    people: { title: 'Residents', hint: 'Import them from a spreadsheet, with their flats.' },
    invitations: { title: 'Invitations', hint: 'Invite everyone who hasn’t set a password.' },
  },
  email: {
    title: 'When do emailed reports become public?',
    choice: {
      at_once:
        'Straight away: everyone can read an emailed report immediately, including any insult or private detail in it.',
      when_sorted:
        'After the office approves it: only staff can read an emailed report until one of them accepts it.',
    },
    save: 'Save answer',
  },
  stickers: {
    title: 'QR stickers and lobby screen',
    hint: 'Print a sticker for each asset, and open the lobby screen on the TV in the hall.',
  },
}

/** Stickers and posters with a QR code. */
export const posters = {
  title: 'QR stickers',
  intro: 'One sticker per asset. Scanning the code opens the report form for that asset.',
  size: 'Paper size',
  sizes: { a4: 'A4', letter: 'US Letter' },
  tower: 'Tower',
  allTowers: 'All towers',
  opens: (origin: string) => `The codes open ${origin}.`,
  onlyHere: (origin: string) =>
    `The codes open ${origin}, which only works on this computer. Set PUBLIC_URL to the address people use before you print.`,
  none: 'There are no assets to print stickers for.',
  count: (stickers: number, sheets: number) => {
    const on = count(sheets, { one: '1 sheet', other: `${sheets} sheets` })
    return count(stickers, { one: `1 sticker on ${on}.`, other: `${stickers} stickers on ${on}.` })
  },
  how: 'Print at actual size (100%), without headers and footers, and cut along the dashed lines.',
  scan: 'Broken? Scan to report',
  opensLink: (link: string) => `QR code that opens ${link}`,
  number: (id: number) => `No. ${id}`,
}

/** What a page says at its top about the building. */
export const buildingNotices = {
  startDismissed: 'Setup steps hidden.',
  assetArchived: 'This is no longer in use. Past reports are below.',
}
