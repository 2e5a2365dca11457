import { query } from '../platform/db/database.js'
import { wake } from '../platform/outbox/outbox.js'
import { DAY } from '../vocabulary/time/calendar.js'
import { occurrences } from '../vocabulary/time/recurrence.js'
import { doneWithin, type ReminderWindow, reminderWindows, workOn } from './reminderWindows.js'

/**
 * Notifies the followers of an asset of planned work that starts within a day or is over: of each
 * occurrence once, in any number of processes, and also after a pause. Returns the number of
 * reminders.
 */
export async function sendReminders(): Promise<number> {
  const windows = await reminderWindows(query, null)
  const reminders = windows.flatMap(remindersOf)
  if (reminders.length === 0) return 0
  const [row] = await query<{ reminders: number }>(
    `with claimable as (
       select g.* from jsonb_to_recordset($1::jsonb) as g ("assetId" integer, kind text, work jsonb)
         join maintenance_windows w on w.id = (g.work ->> 'windowId')::integer
     ), claimed as (
       insert into maintenance_reminders (window_id, starts_at, kind)
       select (work ->> 'windowId')::integer, (work ->> 'startsAt')::timestamptz, kind from claimable
       on conflict do nothing returning window_id, starts_at, kind
     ), queued_news as (
       insert into email_events (event, asset_id, payload, created_at)
       select 'maintenance', g."assetId", g.work || jsonb_build_object('what', g.kind), now()
       from claimable g join claimed c on c.window_id = (g.work ->> 'windowId')::integer
         and c.starts_at = (g.work ->> 'startsAt')::timestamptz and c.kind = g.kind
     )
     select count(*)::integer as reminders from claimed`,
    [JSON.stringify(reminders)],
  )
  if (row!.reminders > 0) wake()
  return row!.reminders
}

/** The reminders of a window: one ahead of each occurrence, and one when it is done. */
function remindersOf(window: ReminderWindow) {
  const { assetId, knownSince, now, zone } = window
  return occurrences(window, zone, now - doneWithin * DAY, now + DAY).flatMap(({ start, end }) => {
    const kind = start > now ? 'ahead' : end <= now && end > knownSince ? 'done' : null
    return kind ? [{ assetId, kind, work: workOn(window, { start, end }) }] : []
  })
}
