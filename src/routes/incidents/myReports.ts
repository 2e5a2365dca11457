import { ownReports } from '../../models/incidents/ownReports.js'
import { presentOwnReport } from '../../presenters/incidents/ownReport.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { both } from '../../web/request/both.js'
import { bytesFor, linkNext, pageOf } from '../../web/request/paging.js'

/** GET /my-reports: what the person who is signed in reported or follows, for nobody else to see. */
export function myReportRoutes(router: AppRouter): void {
  router.get(both('/my-reports'), allow('incident.own'), async (ctx) => {
    const { user, viewer } = ctx.state
    const page = pageOf(ctx)
    const { rows, more } = await ownReports(user!.id, page, bytesFor(viewer))
    if (more) linkNext(ctx, rows)
    await respond(ctx, {
      data: rows.map((row) => presentOwnReport(row, viewer)),
      view: 'incidents/mine',
      extras: { next: more ? rows.at(-1)!.id : null },
    })
  })
}
