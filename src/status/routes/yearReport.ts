import { z } from 'zod'
import { both } from '../../platform/http/request/both.js'
import { route } from '../../platform/http/route/route.js'
import { yearCharts } from '../json/yearCharts.js'
import { YearReportJson } from '../json/yearReport.js'
import { yearReport } from '../yearReport.js'

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
    summary:
      'A year of the building compared with the year before: uptime, outages, costs, reply and repair times.',
    permission: 'year.read',
    query: YearQuery,
    answer: YearReportJson,
    handle: async ({ query: { year } }) => {
      const data = await yearReport(year)
      return { data, view: 'status/year', extras: { charts: yearCharts(data) } }
    },
  }),
]
