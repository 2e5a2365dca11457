import { z } from 'zod'
import { yearReport } from '../../pages/status/yearReport.js'
import { yearCharts } from '../../presenters/status/yearCharts.js'
import { YearReportJson } from '../../presenters/status/yearReport.js'
import { both } from '../../web/request/both.js'
import { route } from '../../web/route/route.js'

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
