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

/** Largest id PostgreSQL's integer holds; anything above is no id (decision 4.3). */
export const maxId = 2_147_483_647

/** Parses an id as it stands in a path or a form: decimal digits, no sign, no leading zero. Null when it is not one. */
export function parseId(text: string | undefined): number | null {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= maxId ? id : null
}
