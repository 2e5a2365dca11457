import type { PlannedWork, WorkNews } from '../notifications/emails/assetNotice.js'
import { enqueueNews } from '../notifications/follow/enqueueAssetNews.js'
import type { Change } from '../platform/db/change.js'
import { DAY } from '../vocabulary/time/calendar.js'
import type { Interval } from '../vocabulary/time/intervals.js'
import { nextOccurrences } from '../vocabulary/time/series.js'
import { reminderWindows, workOn } from './reminderWindows.js'

/**
 * Reads the next occurrence of planned work before a change: after it the window may be over or
 * gone. The function it returns reads it again after the change, and notifies the followers of the
 * asset when it is new, moved or cancelled. Null: the window is new.
 */
export async function readWorkBefore(c: Change, id: number | null): Promise<(id: number) => Promise<void>> {
  const before = id === null ? null : await nextWork(c, id)
  return async function notifyChange(changedId) {
    await enqueueWorkNews(c, before, await nextWork(c, changedId))
  }
}

/**
 * Reads a series before a change of one of its dates: after it the window may be over. The function
 * it returns notifies the followers of the asset that the local date (YYYY-MM-DD) moves, does not
 * take place (null after), or takes place after all (null before).
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
