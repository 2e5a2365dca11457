import { query } from '../platform/db/database.js'
import type { PlannedWindow } from '../status/queries/plannedWindows.js'
import { lastDays } from '../vocabulary/time/calendar.js'
import { spanTexts } from '../vocabulary/time/intervals.js'
import { occurrences } from '../vocabulary/time/recurrence.js'

/** Planned work, with its times as text. */
type StartingWork = {
  id: number
  assetId: number
  assetName: string
  title: string
  startsAt: string
  endsAt: string
}

/**
 * Planned work that starts today in the property's time zone and has not ended, soonest first.
 * `now` in epoch ms.
 */
export async function startingToday(zone: string, now: number): Promise<StartingWork[]> {
  const windows = await query<PlannedWindow & { assetName: string }>(
    `select id, asset_id, asset_name, title, starts_at, ends_at, recurrence, until, exceptions
     from window_dates(to_timestamp($1 / 1000.0))
     where is_in_use
     order by starts_at, id`,
    [now],
  )
  const [start, end] = lastDays(zone, now, 1).bounds as [number, number]
  return windows
    .flatMap((window) =>
      occurrences(window, zone, now, end)
        .filter((occurrence) => occurrence.start >= start)
        .map((occurrence) => ({
          id: window.id,
          assetId: window.assetId,
          assetName: window.assetName,
          title: window.title,
          ...spanTexts(occurrence),
        })),
    )
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt))
}
