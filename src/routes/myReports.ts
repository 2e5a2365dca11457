import { ownReports } from '../models/ownReports.js'
import { presentOwnReport } from '../presenters/ownReport.js'
import { allow } from '../web/allow.js'
import { both } from '../web/both.js'
import type { AppRouter } from '../web/context.js'
import { bytesFor, linkNext, pageOf } from '../web/paging.js'
import { respond } from '../web/respond.js'

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
