import { z } from 'zod'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { assetStatuses } from '../../vocabulary/assetStatus.js'
import type { Days } from '../../vocabulary/time/calendar.js'
import type { HistoryRows } from '../queries/history.js'
import { type BadDays, unrecordedDays } from './dayBar.js'
import { PastProblemJson, presentHistory } from './history.js'
import { PlannedJson } from './status.js'

const otherDays = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    status: z.enum(assetStatuses),
    address: z.string(),
  })
  .nullable()

/**
 * What happened to an asset on some days. A day's `status` is null where it is not recorded
 * (decision 9.20). `earlier`, `later`: the bad days nearest to these, of the last 90.
 */
export const DayStoryJson = shape('DayStory', {
  from: z.iso.date(),
  to: z.iso.date(),
  days: z.array(z.strictObject({ date: z.iso.date(), status: z.enum(assetStatuses).nullable() })),
  asset: z.strictObject({
    id: rowId,
    name: z.string(),
    towerName: z.string(),
    recordedSince: instantText,
    downtimeHours: z.number(),
    problems: z.array(PastProblemJson),
    planned: PlannedJson,
    more: wholeNumber,
  }),
  hasEvents: z.boolean(),
  earlier: otherDays,
  later: otherDays,
})

/** The story of the one asset of these rows; `bad`: its bad days of the last 90, newest first. */
export function presentDayStory(
  rows: HistoryRows,
  instant: { zone: string; days: Days; now: number },
  bad: readonly BadDays[],
): z.output<typeof DayStoryJson> {
  const { dates, bounds } = instant.days
  const [from, to] = [dates[0]!, dates.at(-1)!]
  const history = presentHistory(rows, { month: from.slice(0, 7), previous: null, next: null }, instant)
  const { days, ...asset } = history.assets[0]!
  const unrecorded = unrecordedDays(bounds, Date.parse(asset.recordedSince))
  return {
    from,
    to,
    days: days.map(({ date, status }, i) => ({ date, status: i < unrecorded ? null : status })),
    asset,
    hasEvents: asset.problems.length + asset.planned.length > 0,
    earlier: linkTo(bad.find((each) => each.to < from)),
    later: linkTo(bad.findLast((each) => each.from > to)),
  }
}

function linkTo(days: BadDays | undefined) {
  if (!days) return null
  const { from, to, status, address } = days
  return { from, to, status, address }
}
