import { z } from 'zod'
import { both } from '../../platform/http/request/both.js'
import { route } from '../../platform/http/route/route.js'
import { dateIn, daysOfMonth, monthsAfter } from '../../vocabulary/time/calendar.js'
import { NotFound } from '../../vocabulary/validation.js'
import { HistoryJson, historyTowers, presentHistory } from '../json/history.js'
import { historyFrame, historyRows } from '../queries/history.js'

/** A month of the property's calendar (YYYY-MM); left out: this one. */
const HistoryQuery = z.object({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'not_acceptable')
    .optional(),
})

export const historyRoutes = [
  route({
    method: 'get',
    paths: both('/history'),
    summary: 'The outages and planned work of every asset in a month.',
    permission: 'status.read',
    query: HistoryQuery,
    answer: HistoryJson,
    handle: async ({ query: { month } }) => {
      const { now, zone, first } = await historyFrame()
      const [earliest, current] = [first, now].map((at) => dateIn(zone, at).slice(0, 7)) as [string, string]
      const asked = month ?? current
      if (asked > current || asked < earliest) throw new NotFound()
      const days = daysOfMonth(zone, asked)
      const rows = await historyRows(days.bounds[0]!, days.bounds.at(-1)!)
      const neighbours = {
        month: asked,
        previous: asked > earliest ? monthsAfter(asked, -1) : null,
        next: asked < current ? monthsAfter(asked, 1) : null,
      }
      const data = presentHistory(rows, neighbours, { zone, days, now })
      return {
        data,
        view: 'status/history',
        extras: { towers: historyTowers(data), width: days.dates.length },
      }
    },
  }),
]
