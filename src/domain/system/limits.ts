/** Sizes the whole product agrees on (decisions 2.11, 2.12, 4.3). Characters are Unicode code points. */
export const limits = {
  title: 200,
  text: 10_000,
  name: 200,
  reason: 200,
  photosPerPost: 5,
  photoBytes: 10 * 1024 * 1024,
  jsonBytes: 1024 * 1024,
  formBytes: 256 * 1024,
  pageDefault: 100,
  pageMax: 500,
  /** JSON of one page of incidents; it ends early once it is past this, so that an answer nobody reads costs little. */
  pageBytes: 512 * 1024,
  pageBytesStaff: 1024 * 1024,
  assetIncidents: 50,
  maintenanceHorizonDays: 30,
  historyDays: 90,
  rollupDays: 365,
} as const

/**
 * What one person may have at a time: far more than anybody comes to use, little enough that one who wants to fill the
 * building's disk or memory cannot. The oldest go first, except where something is refused.
 */
export const bounds = {
  /** Photos kept for forms that failed: four forms full. */
  stagedPhotos: 4 * limits.photosPerPost,
  /** Photos in 24 hours, refused beyond; a move with a picture of every room is some 50. Staff are not counted. */
  photosPerDay: 300,
  /** The same for all phones of one network, which share a user: ten such people behind one address. */
  photosPerDayOfPhones: 3_000,
  /** Phones of one person that are told of news. */
  devices: 20,
  /** Those of the Mobile Reporter, who is every phone of the building. */
  devicesOfPhones: 10_000,
  /** Browsers signed in. */
  sessions: 50,
  /** Webhook subscriptions of the building, refused beyond: every event is written and sent once for each. */
  subscriptions: 100,
  /** What stands on one incident before only staff may add to it: its page and its JSON hold all of it. */
  timelineEntries: 2_000,
  timelineBytes: 1024 * 1024,
} as const

/** Largest id PostgreSQL's integer holds; anything above is no id (decision 4.3). */
export const maxId = 2_147_483_647

/** Parses an id as it stands in a path or a form: decimal digits, no sign, no leading zero. Null when it is not one. */
export function parseId(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= maxId ? id : null
}
