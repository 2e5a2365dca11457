import { z } from 'zod'
import { both } from '../../platform/http/request/both.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../../platform/http/request/paging.js'
import { route } from '../../platform/http/route/route.js'
import { limits } from '../../vocabulary/limits.js'
import { closedAs } from '../json.js'
import { OwnReportJson, presentOwnReport } from './json.js'
import { ownReports } from './queries.js'

export const myReportRoutes = [
  route({
    method: 'get',
    paths: both('/my-reports'),
    summary: 'Lists what the person who is signed in reported or follows, newest first.',
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
