import { z } from 'zod'
import { limits } from '../../domain/system/limits.js'
import { ownReports } from '../../models/incidents/ownReports.js'
import { closedAs } from '../../presenters/incidents/incident.js'
import { OwnReportJson, presentOwnReport } from '../../presenters/incidents/ownReport.js'
import { both } from '../../web/request/both.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../../web/request/paging.js'
import { route } from '../../web/route/route.js'

export const myReportRoutes = [
  route({
    method: 'get',
    paths: both('/my-reports'),
    summary: 'Lists incidents you reported or follow, newest first.',
    permission: 'incident.own',
    query: PageQuery,
    answer: z.array(OwnReportJson),
    paged: true,
    handle: async ({ ctx, query, viewer }) => {
      const found = await ownReports(ctx.state.user!.id, pageOf(ctx, query), limits.pageBytes)
      const next = linkNext(ctx, olderThan(found))
      return {
        data: found.rows.map((row) => presentOwnReport(row, viewer)),
        view: 'incidents/mine',
        extras: { next, closedAs: closedAs(found.rows) },
      }
    },
  }),
]
