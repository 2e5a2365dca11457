import { z } from 'zod'
import { lastDays } from '../../domain/time/calendar.js'
import { instant, rowId } from '../json.js'
import { type BuildingState, SummaryJson } from './status.js'
import { presentStatusPage } from './statusPage.js'

const worstFirst = ['down', 'degraded'] as const

/** The screen's facts, for whoever asks its address for JSON; what only its drawing needs is not described. */
export const DisplayJson = z.looseObject({
  asOf: instant,
  summary: SummaryJson,
  problems: z.array(z.looseObject({ id: rowId })),
})

/** The lobby's screen at `now` (epoch ms): the status page's facts, what does not work, and today's planned work. */
export function presentDisplay(state: BuildingState, now: number) {
  const page = presentStatusPage(state)
  const rows = page.towers.flatMap(({ assets }) => assets)
  const tonight = lastDays(state.property.timezone, now, 1).bounds[1]!
  return {
    ...page,
    asOf: new Date(now).toISOString(),
    problems: worstFirst.flatMap((status) => rows.filter((row) => row.status === status)),
    today: page.upcoming.filter(({ startsAt }) => Date.parse(startsAt) < tonight),
  }
}
export type Display = ReturnType<typeof presentDisplay>
