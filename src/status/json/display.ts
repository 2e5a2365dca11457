import { z } from 'zod'
import { instant, rowId } from '../../platform/http/json.js'
import { lastDays } from '../../vocabulary/time/calendar.js'
import { displayPages } from './displayPages.js'
import { type BuildingState, SummaryJson } from './status.js'
import { presentStatusPage, presentWork } from './statusPage.js'

/** The lobby screen as JSON; fields that only its page needs are not described. */
export const DisplayJson = z.looseObject({
  asOf: instant,
  summary: SummaryJson,
  problems: z.array(z.looseObject({ id: rowId })),
})

/** Lines of today's planned work; the status page has the rest. */
const mostToday = 3

/**
 * The lobby screen at `now` (epoch ms): the status page's problems and, in turns, pages that fit a screen. `turn`
 * counts from 1, and after the last page comes the first.
 */
export function presentDisplay(state: BuildingState, now: number, turn: number) {
  const { property, summary, overall, problems, towers } = presentStatusPage(state)
  const tonight = lastDays(state.property.timezone, now, 1).bounds[1]!
  const today = state.assets
    .flatMap((asset) => asset.upcoming.map((occurrence) => ({ asset, occurrence })))
    .filter(({ occurrence }) => occurrence.start < tonight)
    .sort((a, b) => a.occurrence.start - b.occurrence.start)
  const wrong = new Set(problems.map(({ id }) => id))
  const others = towers.map(({ name, assets }) => ({
    name,
    assets: assets.filter(({ id }) => !wrong.has(id)),
  }))
  const pages = displayPages(problems, others)
  const at = (turn - 1) % pages.length
  return {
    property,
    summary,
    overall,
    towers,
    asOf: new Date(now).toISOString(),
    problems,
    today: today.slice(0, mostToday).map(({ asset, occurrence }) => presentWork(asset, occurrence)),
    moreToday: Math.max(0, today.length - mostToday),
    shown: pages[at]!,
    turn: at + 1,
    turns: pages.length,
  }
}
export type Display = ReturnType<typeof presentDisplay>
