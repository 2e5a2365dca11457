/** Minutes a guest's report waits for a sign-in in the browser it was typed in (decision 7.15). */
export const guestReportMinutes = 60

/**
 * A carried form is a text: the JSON of its fields (platform/http/route/carriedForm.ts), or this
 * and the id of a guest's report, whose fields are stored.
 */
export const guestReportPrefix = 'report:'
const pattern = /^report:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The id of the guest's report that a sign-in carries; null when it carries none. */
export const guestReportId = (carriedForm: string | null | undefined): string | null =>
  pattern.exec(carriedForm ?? '')?.[1] ?? null
