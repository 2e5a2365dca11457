import { z } from 'zod'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { assetStatuses } from '../../vocabulary/assetStatus.js'
import { grouped } from '../../vocabulary/collections.js'
import { limits } from '../../vocabulary/limits.js'
import type { Days } from '../../vocabulary/time/calendar.js'
import { clip, type Interval, spanTexts, subtract, total, union } from '../../vocabulary/time/intervals.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import type { PastImpact } from '../impacts/readImpacts.js'
import type { HistoryRows } from '../queries/history.js'
import { dayBytes } from '../rules/uptime.js'
import { barPaths, unrecordedDays } from './dayBar.js'
import { DaysJson, PlannedJson } from './status.js'

const monthName = z.string().regex(/^\d{4}-\d{2}$/)

/** What an incident did to an asset; `endedAt` null: it has not ended. */
export const PastProblemJson = z.strictObject({
  incidentId: rowId,
  title: z.string(),
  impact: z.enum(['down', 'degraded']),
  startedAt: instantText,
  endedAt: instantText.nullable(),
})

/**
 * GET /api/history: a month of every asset. `more`: problems and dates of planned work that are
 * left out because there are too many. `recordedSince`: nothing is known before (decision 9.20).
 */
export const HistoryJson = shape('History', {
  month: monthName,
  previous: monthName.nullable(),
  next: monthName.nullable(),
  assets: z.array(
    z.strictObject({
      id: rowId,
      name: z.string(),
      towerName: z.string(),
      days: DaysJson,
      recordedSince: instantText,
      downtimeHours: z.number(),
      problems: z.array(PastProblemJson),
      planned: PlannedJson,
      more: wholeNumber,
    }),
  ),
})

/** The month asked for and its neighbours; null where there is none. */
type Month = { month: string; previous: string | null; next: string | null }

/**
 * A month of the building: `days` are its local days; nothing after `now` (epoch ms) has happened
 * but planned work.
 */
export function presentHistory(
  { assets, impacts, windows }: HistoryRows,
  month: Month,
  { zone, days, now }: { zone: string; days: Days; now: number },
): z.output<typeof HistoryJson> {
  const [from, to] = [days.bounds[0]!, days.bounds.at(-1)!]
  const impactsOf = grouped(impacts, ({ assetId }) => assetId)
  const plannedOf = grouped(
    windows.flatMap(({ assetId, title, ...window }) =>
      occurrences(window, zone, from, to).map((times) => ({ assetId, title, ...times })),
    ),
    ({ assetId }) => assetId,
  )
  return {
    ...month,
    assets: assets.flatMap(({ id, name, towerName, archived, recordedSince }) => {
      const own = impactsOf.get(id) ?? []
      const planned = plannedOf.get(id) ?? []
      if (archived && own.length === 0) return []
      const ofKind = (kind: PastImpact['impact']) => own.filter(({ impact }) => impact === kind)
      const times = { downtime: ofKind('down'), degraded: ofKind('degraded'), maintenance: planned }
      const problems = problemsOf(own)
      return [
        {
          id,
          name,
          towerName,
          days: daysOf(dayBytes(times, days, now), days, now),
          recordedSince: iso(recordedSince),
          downtimeHours: hours(subtract(clip(times.downtime, from, Math.min(to, now)), planned)),
          problems: problems.slice(0, limits.historyRows).map(presentProblem),
          planned: planned
            .slice(0, limits.historyRows)
            .map((each) => ({ title: each.title, ...spanTexts(each) })),
          more: over(problems.length) + over(planned.length),
        },
      ]
    }),
  }
}
type History = ReturnType<typeof presentHistory>

/**
 * The page's assets by tower, each with its bar, in a view box as wide as the month has days. The
 * hours of a tower are those of all its assets, also of the ones on other pages. `recordedFrom`:
 * the first day of the month that is recorded, where that is not its first.
 */
export function historyTowers(
  pageAssets: History['assets'],
  allAssets: History['assets'],
  { dates, bounds }: Days,
) {
  const rows = pageAssets.map((asset) => {
    const unrecorded = unrecordedDays(bounds, Date.parse(asset.recordedSince))
    return {
      ...asset,
      ...recordedPart(unrecorded, dates),
      bar: barPaths(
        Uint8Array.from(asset.days, ({ status }) => assetStatuses.indexOf(status)),
        Math.min(asset.days.length, unrecorded),
      ),
      worst: assetStatuses.findLast((status) => asset.days.some((day) => day.status === status)),
      hasDowntime: hasDowntime(asset),
      hasEvents: asset.problems.length + asset.planned.length > 0,
    }
  })
  const allByTower = grouped(allAssets, ({ towerName }) => towerName)
  return [...grouped(rows, ({ towerName }) => towerName)].map(([name, own]) => {
    const whole = allByTower.get(name)!
    return {
      name,
      assets: own,
      downtimeHours: whole.reduce((sum, { downtimeHours }) => sum + downtimeHours, 0),
      hasDowntime: whole.some(hasDowntime),
    }
  })
}

/** What of a month is recorded; `recordedFrom`: null when all of it is, or none. */
function recordedPart(unrecorded: number, dates: readonly string[]) {
  const isPart = unrecorded > 0 && unrecorded < dates.length
  return { isRecorded: unrecorded < dates.length, recordedFrom: isPart ? dates[unrecorded]! : null }
}

/** A bar can show an outage too short to count as hours. */
function hasDowntime({ downtimeHours, days }: History['assets'][number]): boolean {
  return downtimeHours > 0 || days.some(({ status }) => status === 'down')
}

const iso = (at: number) => new Date(at).toISOString()
const hours = (times: readonly Interval[]) => Math.round(total(times) / 36_000) / 100
const over = (length: number) => Math.max(0, length - limits.historyRows)

/** The days that have started. */
function daysOf(bytes: Uint8Array, { dates, bounds }: Days, now: number) {
  const begun = dates.filter((_date, i) => bounds[i]! <= now)
  return begun.map((date, i) => ({ date, status: assetStatuses[bytes[i]!]! }))
}

/** What an incident and its duplicates did, each stretch once; as they began. */
function problemsOf(impacts: readonly PastImpact[]): PastImpact[] {
  const kinds = grouped(impacts, ({ incidentId, impact }) => `${incidentId} ${impact}`)
  return [...kinds.values()]
    .flatMap((own) => union(own).map((span) => ({ ...own[0]!, ...span })))
    .sort((a, b) => a.start - b.start || a.incidentId - b.incidentId)
}

function presentProblem({ incidentId, title, impact, start, end }: PastImpact) {
  return { incidentId, title, impact, startedAt: iso(start), endedAt: end === Infinity ? null : iso(end) }
}
