import type { PlannedWork, WorkNews } from '../notifications/follow/assetNews.js'
import type { Change } from '../platform/db/change.js'
import { type Query, query } from '../platform/db/database.js'
import { wake } from '../platform/outbox/outbox.js'
import { DAY } from '../vocabulary/time/calendar.js'
import { type Interval, spanTexts } from '../vocabulary/time/intervals.js'
import { occurrences, type RecurringWindow } from '../vocabulary/time/recurrence.js'
import { nextOccurrences } from '../vocabulary/time/series.js'

/** Days for which followers still get news of work that is over, after a pause of the scheduler. */
const doneWithin = 7

/** A window whose occurrences may need a reminder, with the clock and the building's zone. */
type ReminderWindow = RecurringWindow & {
  id: number
  assetId: number
  title: string
  knownSince: number
  now: number
  zone: string
}

/** Windows of assets in use that are not long over, or only this one. Times in epoch ms. */
async function reminderWindows(run: Query, id: number | null): Promise<ReminderWindow[]> {
  return run(
    `select w.id, w.asset_id, w.title, epoch_ms(w.known_since) as known_since, epoch_ms(now()) as now,
       p.timezone as zone, w.starts_at, w.ends_at, w.recurrence, w.until, w.exceptions
     from window_dates(now() - make_interval(days => $2)) w, properties p
     where w.is_in_use and ($1::integer is null or w.id = $1)
     order by w.id`,
    [id, doneWithin],
  )
}

/** An occurrence of a window, as followers read of it. */
function workOn({ id, title, recurrence }: ReminderWindow, times: Interval): PlannedWork {
  return { windowId: id, title, recurrence, ...spanTexts(times) }
}

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
    `with given as (
       select g.* from jsonb_to_recordset($1::jsonb) as g ("assetId" integer, what text, work jsonb)
         join maintenance_windows w on w.id = (g.work ->> 'windowId')::integer
     ), claimed as (
       insert into maintenance_reminders (window_id, starts_at, kind)
       select (work ->> 'windowId')::integer, (work ->> 'startsAt')::timestamptz, what from given
       on conflict do nothing returning window_id, starts_at, kind
     ), queued_news as (
       insert into email_events (event, asset_id, payload, created_at)
       select 'maintenance', g."assetId", g.work || jsonb_build_object('what', g.what), now()
       from given g join claimed c on c.window_id = (g.work ->> 'windowId')::integer
         and c.starts_at = (g.work ->> 'startsAt')::timestamptz and c.kind = g.what
     )
     select count(*)::integer as reminders from claimed`,
    [JSON.stringify(reminders)],
  )
  if (row!.reminders > 0) wake(new Set())
  return row!.reminders
}

/** The reminders of a window: one ahead of each occurrence, and one when it is done. */
function remindersOf(window: ReminderWindow) {
  const { assetId, knownSince, now, zone } = window
  return occurrences(window, zone, now - doneWithin * DAY, now + DAY).flatMap(({ start, end }) => {
    const what = start > now ? 'ahead' : end <= now && end > knownSince ? 'done' : null
    return what ? [{ assetId, what, work: workOn(window, { start, end }) }] : []
  })
}

/** Notifies the followers of the asset of a change of its expected end. */
export async function enqueueExpectedNews(c: Change, assetId: number | null): Promise<void> {
  if (assetId !== null) await enqueueNews(c, assetId, 'expected', {})
}

/**
 * Reads the next occurrence of planned work before a change. The function it returns reads it again
 * after the change, and notifies the followers of the asset when it is new, moved or cancelled.
 * Null: the window is new.
 */
export async function readWorkBefore(c: Change, id: number | null): Promise<(id: number) => Promise<void>> {
  const before = id === null ? null : await nextWork(c, id)
  return async function notifyChange(changedId) {
    await enqueueWorkNews(c, before, await nextWork(c, changedId))
  }
}

/**
 * Reads a series before a change of one of its dates. The function it returns notifies the
 * followers of the asset that the local date (YYYY-MM-DD) moves, does not take place (null after),
 * or takes place after all (null before).
 */
export async function readSeriesBefore(
  c: Change,
  id: number,
): Promise<(date: string, before: Interval | null, after: Interval | null) => Promise<void>> {
  const [window] = await reminderWindows(c.query, id)
  return async function notifyDateChange(date, before, after) {
    const times = after ?? before
    if (!window || !times || times.end <= c.now.getTime()) return
    const news: WorkNews = !after ? 'skipped' : before ? 'moved' : 'new'
    const work = { ...workOn(window, times), date }
    await enqueueNews(c, window.assetId, 'maintenance', { ...work, what: news })
    if (after) await suppressReminder(c, work)
  }
}

type Next = { assetId: number; work: PlannedWork }

/** Notifies followers of what is next after a change; of each asset, when the work changes it. */
async function enqueueWorkNews(c: Change, before: Next | null, after: Next | null): Promise<void> {
  if (before && after && before.assetId !== after.assetId) {
    await enqueueWorkNews(c, before, null)
    return enqueueWorkNews(c, null, after)
  }
  const oldWork = before?.work
  const newWork = after?.work
  if (oldWork?.startsAt === newWork?.startsAt && oldWork?.endsAt === newWork?.endsAt) return
  const news: WorkNews = !newWork ? 'cancelled' : oldWork ? 'moved' : 'new'
  await enqueueNews(c, (after ?? before)!.assetId, 'maintenance', { ...(newWork ?? oldWork), what: news })
  if (newWork) await suppressReminder(c, newWork)
}

/** Work that followers are notified of less than a day before needs no reminder. */
async function suppressReminder(c: Change, { windowId, startsAt }: PlannedWork): Promise<void> {
  if (Date.parse(startsAt) > c.now.getTime() + DAY) return
  await c.query(
    `insert into maintenance_reminders (window_id, starts_at, kind, sent_at) values ($1, $2, 'ahead', $3)
     on conflict do nothing`,
    [windowId, startsAt, c.now],
  )
}

/** Its next occurrence; null without one, or without such a window. */
async function nextWork(c: Change, id: number): Promise<Next | null> {
  const [window] = await reminderWindows(c.query, id)
  if (!window) return null
  const [next] = nextOccurrences(window, window.zone, c.now.getTime(), 1)
  return next ? { assetId: window.assetId, work: workOn(window, next) } : null
}

/** Keeps news of an asset for its followers. No one is notified of the demo's history. */
async function enqueueNews(c: Change, assetId: number, event: string, payload: object): Promise<void> {
  if (c.actor.past) return
  await c.trx('email_events').insert({ event, assetId, payload, createdAt: c.now })
}
