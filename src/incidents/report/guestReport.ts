import { guestReportMinutes } from '../../accounts/signIn/carriedForm.js'
import { query } from '../../platform/db/database.js'

/**
 * A report typed before a sign-in: its fields as typed, to be shown again, and as validated. `userId`: who has sent it
 * meanwhile.
 */
export type GuestReport = {
  id: string
  formKey: string
  digest: string
  fields: Record<string, unknown>
  report: Record<string, unknown>
  userId: number | null
}

/** The report with this id, if this browser sent it within the hour. */
export async function guestReport(id: string, browser: Buffer): Promise<GuestReport | null> {
  const [row] = await query<GuestReport>(
    `select id, form_key as "formKey", digest, fields, report, user_id as "userId" from guest_reports
     where id = $1 and browser_hash = $2 and kept_at > now() - make_interval(mins => $3)`,
    [id, browser, guestReportMinutes],
  )
  return row ?? null
}
