import { z } from 'zod'
import { lastDays } from '../../domain/time/calendar.js'
import { instant, rowId } from '../json.js'
import { type BuildingState, SummaryJson } from './status.js'
import { presentStatusPage } from './statusPage.js'

const worstFirst = ['down', 'degraded'] as const

/** The lobby screen as JSON; fields that only its page needs are not described. */
export const DisplayJson = z.looseObject({
  asOf: instant,
  summary: SummaryJson,
  problems: z.array(z.looseObject({ id: rowId })),
})

/** The lobby screen at `now` (epoch ms): the status page, broken assets worst first, today's planned work. */
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
