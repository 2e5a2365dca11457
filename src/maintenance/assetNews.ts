import type { PlannedWork, WorkNews } from '../notifications/follow/assetNewsQueries.js'
import type { Change } from '../platform/db/change.js'
import { DAY } from '../vocabulary/time/durations.js'
import type { Interval } from '../vocabulary/time/intervals.js'
import { nextOccurrences } from '../vocabulary/time/upcoming.js'
import { toldWindows, workOn } from './maintenanceTelling.js'

/** Tells those who follow the asset when it is to be back, where that has changed. */
export async function enqueueExpectedNews(c: Change, assetId: number | null): Promise<void> {
  if (assetId !== null) await leave(c, assetId, 'expected', {})
}

/**
 * Reads the next occurrence of planned work; the function it returns reads it again after the
 * change, and tells those who follow the asset when it is new, moved or cancelled. Null: the window
 * is new.
 */
export async function notifyIfChanged(c: Change, id: number | null): Promise<(id: number) => Promise<void>> {
  const before = id === null ? null : await nextWork(c, id)
  return async (written) => leaveWorkNews(c, before, await nextWork(c, written))
}

/**
 * Reads a series; the function it returns tells those who follow the asset that one local date of
 * it (YYYY-MM-DD) moves, does not take place (null after), or takes place after all (null before).
 */
export async function watchDate(
  c: Change,
  id: number,
): Promise<(date: string, before: Interval | null, after: Interval | null) => Promise<void>> {
  const [window] = await toldWindows(c.query, id)
  return async (date, before, after) => {
    const times = after ?? before
    if (!window || !times || times.end <= c.now.getTime()) return
    const what: WorkNews = !after ? 'skipped' : before ? 'moved' : 'new'
    const work = { ...workOn(window, times), date }
    await leave(c, window.assetId, 'maintenance', { ...work, what })
    if (after) await suppressReminder(c, work)
  }
}

type Next = { assetId: number; work: PlannedWork }

async function leaveWorkNews(c: Change, before: Next | null, after: Next | null): Promise<void> {
  if (before && after && before.assetId !== after.assetId) {
    await leaveWorkNews(c, before, null)
    return leaveWorkNews(c, null, after)
  }
  const [was, is] = [before?.work, after?.work]
  if (was?.startsAt === is?.startsAt && was?.endsAt === is?.endsAt) return
  const what: WorkNews = !is ? 'cancelled' : was ? 'moved' : 'new'
  await leave(c, (after ?? before)!.assetId, 'maintenance', { ...(is ?? was), what })
  if (is) await suppressReminder(c, is)
}

/** Work that is told of less than a day before needs no reminder. */
async function suppressReminder(c: Change, { windowId, startsAt }: PlannedWork): Promise<void> {
  if (Date.parse(startsAt) > c.now.getTime() + DAY) return
  await c.query(
    `insert into maintenance_tellings (window_id, starts_at, told, told_at) values ($1, $2, 'ahead', $3)
     on conflict do nothing`,
    [windowId, startsAt, c.now],
  )
}

/** Its next occurrence; null without one, or without such a window. */
async function nextWork(c: Change, id: number): Promise<Next | null> {
  const [window] = await toldWindows(c.query, id)
  if (!window) return null
  const [next] = nextOccurrences(window, window.zone, c.now.getTime(), 1)
  return next ? { assetId: window.assetId, work: workOn(window, next) } : null
}

/** Nobody is told of the demo's history. */
async function leave(c: Change, assetId: number, event: string, payload: object): Promise<void> {
  if (c.actor.past) return
  await c.query('insert into mail_events (event, asset_id, payload, created_at) values ($1, $2, $3, $4)', [
    event,
    assetId,
    JSON.stringify(payload),
    c.now,
  ])
}
