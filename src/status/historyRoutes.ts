import { z } from 'zod'
import { both } from '../platform/http/paths.js'
import { cutList, SkipQuery } from '../platform/http/request/paging.js'
import { route } from '../platform/http/route/route.js'
import { dateIn, daysOfMonth, monthsAfter } from '../vocabulary/time/calendar.js'
import { NotFound } from '../vocabulary/validation.js'
import { HistoryJson, historyTowers, presentHistory } from './present/history.js'
import { recordedFrom, worstOfYear, yearCharts, yearTables } from './present/yearPage.js'
import { YearReportJson } from './present/yearReport.js'
import { historyFrame, historyRows } from './queries/history.js'
import { readYearReport } from './readYearReport.js'

/** A month of the property's calendar (YYYY-MM); left out: this one. */
const HistoryQuery = SkipQuery.extend({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'not_acceptable')
    .optional(),
})

export const historyRoutes = [
  route({
    method: 'get',
    paths: both('/history'),
    group: 'status',
    indexed: true,
    summary: 'The outages and planned work of every asset in a month.',
    permission: 'status.read',
    query: HistoryQuery,
    answer: HistoryJson,
    paged: true,
    handle: async ({ ctx, query: { month, skip } }) => {
      const { now, zone, first } = await historyFrame()
      const [earliest, current] = [first, now].map((at) => dateIn(zone, at).slice(0, 7)) as [string, string]
      const requestedMonth = month ?? current
      if (requestedMonth > current || requestedMonth < earliest) throw new NotFound()
      const days = daysOfMonth(zone, requestedMonth)
      const rows = await historyRows(days.bounds[0]!, days.bounds.at(-1)!)
      const neighbours = {
        month: requestedMonth,
        previous: requestedMonth > earliest ? monthsAfter(requestedMonth, -1) : null,
        next: requestedMonth < current ? monthsAfter(requestedMonth, 1) : null,
      }
      const whole = presentHistory(rows, neighbours, { zone, days, now })
      const { data: assets, next: rest } = cutList(ctx, whole.assets, skip)
      const data = { ...whole, assets }
      return {
        data,
        view: 'status/history',
        extras: { towers: historyTowers(assets, whole.assets, days), width: days.dates.length, rest },
      }
    },
  }),
]

/** A year of the property's calendar; left out: this one. */
export const YearQuery = z.object({
  year: z
    .string()
    .regex(/^\d{4}$/, 'not_acceptable')
    .transform(Number)
    .optional(),
})

export const yearReportRoutes = [
  route({
    method: 'get',
    paths: both('/admin/year'),
    group: 'status',
    summary:
      'A year of the building compared with the year before: uptime, outages, costs, reply and repair times.',
    permission: 'year.read',
    query: YearQuery,
    answer: YearReportJson,
    handle: async ({ query: { year } }) => {
      const data = await readYearReport(year)
      const worstAssets = worstOfYear(data.assets)
      const extras = {
        charts: yearCharts(data),
        tables: yearTables(data, worstAssets),
        rowsShown: worstAssets.length,
        recordedFrom: recordedFrom(data.from, data.assets),
      }
      return { data, view: 'status/year', extras }
    },
  }),
]
