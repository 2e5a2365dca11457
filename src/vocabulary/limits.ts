/** Sizes used throughout (decisions 2.11, 2.12, 4.3). Characters are Unicode code points. */
export const limits = {
  title: 200,
  text: 10_000,
  /**
   * Of a whole email, for staff: its subject, and a text with the history of a long conversation.
   */
  emailSubject: 2_000,
  emailMark: 200,
  emailText: 100_000,
  name: 200,
  reason: 200,
  webhookUrl: 2_000,
  webhookSecret: 500,
  photosPerPost: 5,
  /** Of one photo as it was sent, by a form or by email. */
  photoBytes: 10 * 1024 * 1024,
  jsonBytes: 1024 * 1024,
  formBytes: 256 * 1024,
  /** Rows of a list in JSON: without a limit, and at most. A page for people shows fewer. */
  pageDefault: 500,
  pageMax: 1_000,
  rowsOnPage: 100,
  /** Records that one request changes: as many as a person can have reviewed. */
  recordsPerRequest: 100,
  /** Reports on a page for people: fewer than other rows, because theirs are longer. */
  incidentsOnPage: 20,
  /**
   * Bytes of JSON in a page of incidents, which ends after the row that exceeds them: the longest
   * row has 62 KB, and a page at most 500 KB.
   */
  pageBytes: 438_000,
  /** Bytes of JSON in a page of every other list. A page of 100 rows adds some 130 KB of HTML. */
  listBytes: 300_000,
  /** Entries of a timeline's page, and bytes of their HTML: a page has 500 KB (decision 8.7). */
  timelineEntries: 300,
  timelineBytes: 330_000,
  assetIncidents: 50,
  /** Lines of a list on the status page, and incidents of one problem there. */
  statusRows: 10,
  /** The highest place in a display order. */
  lastPosition: 100_000,
  /** Problems that the status page describes, and assets that it lists; with more, their towers. */
  statusProblems: 12,
  statusAssets: 40,
  /** Assets on a page of their list. */
  equipmentRows: 40,
  /** Days that one page tells of. */
  storyDays: 31,
  statusIncidents: 3,
  /** Problems, and dates of planned work, of one asset in a month's history. */
  historyRows: 20,
  maintenanceHorizonDays: 30,
  historyDays: 90,
  /** Days of history that are read: those shown, and two for clock changes. */
  historyDaysRead: 92,
  rollupDays: 365,
  /** Days in which staff see what was delivered and what was not; `tidy` deletes older ones. */
  deliveryDays: 30,
  /** Days of failed messages that the desk counts. */
  failedMessageDays: 7,
  /** Days of planned work in the weekly summary. */
  digestDaysAhead: 14,
} as const

/**
 * Limits, most of them per person: far above normal use, low enough that no one can fill disk or
 * memory. The oldest items are dropped first, except where a comment says "refused" or "only
 * staff".
 */
export const bounds = {
  /** Photos kept for forms that failed validation: four full forms. */
  stagedPhotos: 4 * limits.photosPerPost,
  /** Photos of guests who have not signed in yet, of all together in bytes; refused beyond. */
  guestPhotoBytes: 500_000_000,
  /** Reports of such guests, of one browser and in all; refused beyond. */
  guestReports: 10,
  guestReportsInAll: 2_000,
  /** Photos in 24 hours, refused beyond; not for staff. Every room of a flat takes some 50. */
  photosPerDay: 300,
  /**
   * Photos in 24 hours from all phones of one network, which share a user: ten times one person's.
   */
  photosPerDayOfPhones: 3_000,
  /** Phones and browsers of one person that get push messages. */
  devices: 20,
  /** Phones of the Mobile Reporter, the one user of every phone in the building. */
  devicesOfPhones: 10_000,
  /** Signed-in browsers. */
  sessions: 50,
  /** Webhook subscriptions in all, refused beyond: every event is stored and sent once for each. */
  subscriptions: 100,
  /** Invitations of one press of the button. */
  invitations: 500,
  /** Entries on one incident and bytes of their text; then only staff may add. */
  timelineEntries: 2_000,
  timelineBytes: 1024 * 1024,
  /** One writer's share of them, for so many days from the first entry on; staff have none. */
  writerEntries: 50,
  writerBytes: 64 * 1024,
  writerDays: 30,
  /** The share of all emails whose senders are not proven: invented addresses fill no more. */
  unprovenEntries: 200,
  unprovenBytes: 256 * 1024,
} as const

/** Minutes between two emails about one asset to those who follow it. */
export const assetNewsMinutes = 10

/** Minutes in which staff can undo a deletion, a confirmation, a merge or a voided cost. */
export const undoMinutes = 10

/** Largest value of PostgreSQL's integer; anything above is not an id (decision 4.3). */
export const maxId = 2_147_483_647

/** Parses an id of decimal digits, without sign or leading zero. Null when it is not an id. */
export function parseId(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= maxId ? id : null
}
