import { randomUUID } from 'node:crypto'
import { oneAtATime } from '../../platform/db/advisoryLocks.js'
import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { insertRow } from '../../platform/db/insertRow.js'
import { guestReportMinutes } from '../../vocabulary/guestReports.js'
import { bounds } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import type { StagedPhoto } from '../model/photos/photos.js'

/**
 * A report typed before a sign-in: its fields as typed, to be shown again, and as validated.
 * `userId`: who has sent it meanwhile.
 */
export type GuestReport = {
  id: string
  formKey: string
  digest: string
  fields: Record<string, unknown>
  report: Record<string, unknown>
  userId: number | null
  keptAt: Date
}

/** The report with this id, if this browser sent it within the hour. */
export async function guestReport(id: string, browser: Buffer): Promise<GuestReport | null> {
  const [row] = await query<GuestReport>(
    `select id, form_key, digest, fields, report, user_id, kept_at from guest_reports
     where id = $1 and browser_hash = $2 and kept_at > now() - make_interval(mins => $3)`,
    [id, browser, guestReportMinutes],
  )
  return row ?? null
}

/**
 * Keeps a guest's report for an hour, for their browser; the same form again replaces what it sent
 * before. Returns its id; null when too many are kept, in this browser or in all.
 */
export async function keepGuestReport(
  actor: Actor,
  browser: Buffer,
  { formKey, digest, fields, report }: Omit<GuestReport, 'id' | 'userId' | 'keptAt'>,
): Promise<string | null> {
  // Not with the form's idempotency key: that belongs to the report.
  const { idempotency: _unused, ...guest } = actor
  return change(guest, async (c) => {
    await oneAtATime(c, 'guest reports')
    if (!(await hasRoom(c, browser, formKey))) {
      c.noop()
      return null
    }
    // A report that was already sent under this key stays; different content is a new report.
    const other = await c
      .trx('guest_reports')
      .where({ browserHash: browser, formKey })
      .whereNotNull('userId')
      .whereNot({ digest })
      .first('id')
    const [row] = await insertRow<{ id: string }>(
      c,
      'guest_reports',
      {
        browserHash: browser,
        formKey: other ? randomUUID() : formKey,
        digest,
        fields: JSON.stringify(fields),
        report: JSON.stringify(report),
        keptAt: c.now,
      },
      `on conflict (browser_hash, form_key) do update set kept_at = excluded.kept_at,
         digest = case when guest_reports.user_id is null then excluded.digest else guest_reports.digest end,
         fields = case when guest_reports.user_id is null then excluded.fields else guest_reports.fields end,
         report = case when guest_reports.user_id is null then excluded.report else guest_reports.report end
       returning id`,
    )
    c.audit('guest_report.kept', null)
    return row!.id
  })
}

async function hasRoom(c: Change, browser: Buffer, formKey: string): Promise<boolean> {
  const [counts] = await c.query<{ here: number; all: number }>(
    `select count(*) filter (where browser_hash = $1)::integer as here, count(*)::integer as all
     from guest_reports
     where (browser_hash, form_key) is distinct from ($1, $4)
       and kept_at > $2::timestamptz - make_interval(mins => $3)`,
    [browser, c.now, guestReportMinutes, formKey],
  )
  return counts!.here < bounds.guestReports && counts!.all < bounds.guestReportsInAll
}

/**
 * Gives a guest's report and its photos to who has signed in; by then no one else can send it.
 * Returns its photos that are left, null when another person has sent it. Again by the same person
 * has no effect.
 */
export async function claimGuestReport(
  actor: Actor,
  browser: Buffer,
  { id, photoIds }: { id: string; photoIds: string[] },
): Promise<StagedPhoto[] | null> {
  return change(actor, async (c) => {
    const [claimed] = await c.query<{ before: number | null }>(
      `update guest_reports g set user_id = $3 from (select id, user_id from guest_reports where id = $1 for update) old
       where g.id = old.id and g.browser_hash = $2 and coalesce(old.user_id, $3) = $3 returning old.user_id as before`,
      [id, browser, actor.id],
    )
    const photos = await c.query<StagedPhoto>(
      `update staged_photos set user_id = $1, browser_hash = null
       where id = any ($2::uuid[]) and (browser_hash = $3 or user_id = $1) and $4
       returning id, path, width, height, bytes`,
      [actor.id, photoIds, browser, claimed !== undefined],
    )
    if (claimed?.before === null) c.audit('guest_report.sent', null)
    else c.noop()
    return claimed ? photos.sort((a, b) => photoIds.indexOf(a.id) - photoIds.indexOf(b.id)) : null
  })
}
