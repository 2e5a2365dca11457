import { inSnapshot } from '../../platform/db/database.js'
import { limits } from '../../vocabulary/limits.js'
import { DAY } from '../../vocabulary/time/calendar.js'
import { clip, spanTexts, subtract, total } from '../../vocabulary/time/intervals.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import type { Digest, TwoWeeks } from './digest.js'
import { type DigestRows, daysRead, digestRows } from './digestQueries.js'

/** Milliseconds of each of the two weeks, and how far ahead planned work is listed. */
const week = 7 * DAY
const ahead = limits.digestDaysAhead * DAY

/** The last 7 × 24 hours compared with the 7 × 24 before; downtime as in uptime (decision 3.3). */
export async function compileDigest(): Promise<Digest> {
  return digestContents(await inSnapshot(digestRows))
}

export function digestContents(rows: DigestRows): Digest {
  const { now } = rows
  return {
    from: new Date(now - week).toISOString(),
    to: new Date(now).toISOString(),
    towers: towersOf(rows),
    counts: rows.counts,
    unacknowledged: {
      total: rows.unacknowledgedTotal,
      oldest: rows.unacknowledged.map((each) => ({ ...each, createdAt: each.createdAt.toISOString() })),
    },
    passed: rows.passed,
    maintenance: maintenanceOf(rows),
  }
}

function towersOf(rows: DigestRows): Digest['towers'] {
  const names = [...new Set(rows.assets.map(({ towerName }) => towerName))]
  return names.map((name) => {
    const assets = rows.assets
      .filter(({ towerName }) => towerName === name)
      .map(({ id, name, status, back }) => ({
        id,
        name,
        status,
        ...(back ? { back: back.toISOString() } : {}),
        hours: downtimeOf(rows, id),
      }))
    const sum = (week: keyof TwoWeeks) => assets.reduce((hours, asset) => hours + asset.hours[week], 0)
    return { name, hours: { thisWeek: sum('thisWeek'), weekBefore: sum('weekBefore') }, assets }
  })
}

function downtimeOf({ now, zone, downtime, windows }: DigestRows, assetId: number): TwoWeeks {
  const planned = windows
    .filter((window) => window.assetId === assetId)
    .flatMap((window) => occurrences(window, zone, now - daysRead * DAY, now))
  const down = subtract(
    downtime.filter((interval) => interval.assetId === assetId),
    planned,
  )
  const hours = (from: number, to: number) => total(clip(down, from, to)) / 3_600_000
  return { thisWeek: hours(now - week, now), weekBefore: hours(now - 2 * week, now - week) }
}

function maintenanceOf({ now, zone, assets, windows }: DigestRows): Digest['maintenance'] {
  return windows
    .flatMap(({ title, assetId, ...window }) =>
      occurrences(window, zone, now, now + ahead).map(({ start, end }) => ({
        title,
        assetId,
        start,
        end,
      })),
    )
    .sort((a, b) => a.start - b.start)
    .map(({ title, assetId, start, end }) => {
      const { name: assetName, towerName } = assets.find(({ id }) => id === assetId)!
      return {
        title,
        assetName,
        towerName,
        ...spanTexts({ start, end }),
      }
    })
}
