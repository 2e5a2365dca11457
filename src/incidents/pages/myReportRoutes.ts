import { z } from 'zod'
import { shape } from '../../platform/http/json.js'
import { both } from '../../platform/http/paths.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../../platform/http/request/paging.js'
import { route } from '../../platform/http/route/route.js'
import { limits } from '../../vocabulary/limits.js'
import { closedAs, incidentJson, presentIncident } from '../model/json/incidentJson.js'
import { ownReports } from '../model/ownReports.js'

/** An incident in a list (spec §2), with its relation to the caller. */
const OwnReportJson = shape('OwnReport', {
  ...incidentJson,
  reportedByMe: z.boolean(),
  nameHidden: z.boolean(),
  following: z.boolean(),
})

/** The reports of the person who is signed in. */
export const myReportRoutes = [
  route({
    method: 'get',
    paths: both('/my-reports'),
    group: 'incidents',
    summary: 'Lists incidents you reported or follow, newest first.',
    permission: 'incident.own',
    keptOffline: true,
    query: PageQuery,
    answer: z.array(OwnReportJson),
    paged: true,
    handle: async ({ ctx, query, viewer }) => {
      const reports = await ownReports(ctx.state.user!.id, pageOf(ctx, query), limits.pageBytes)
      const next = linkNext(ctx, olderThan(reports))
      return {
        data: reports.rows.map((row) => ({
          ...presentIncident(row, viewer),
          reportedByMe: row.mine,
          nameHidden: row.mine && row.isAnonymous,
          following: row.following,
        })),
        view: 'incidents/mine',
        extras: { next, closedAs: closedAs(reports.rows) },
      }
    },
  }),
]
