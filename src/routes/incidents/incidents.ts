import { z } from 'zod'
import { reportIncident } from '../../actions/incidents/reportIncident.js'
import { once } from '../../actions/system/once.js'
import { statuses } from '../../domain/incidents/lifecycle.js'
import { severities } from '../../domain/incidents/severity.js'
import { limits } from '../../domain/system/limits.js'
import { Asset } from '../../models/building/building.js'
import { Incident } from '../../models/incidents/incident.js'
import { detailOf, incidentAnswer } from '../../pages/incidents/incidentPage.js'
import { photosOf, rescuePhotos } from '../../pages/incidents/incidentPhotos.js'
import { reportPage } from '../../pages/incidents/reportPage.js'
import { keepsTyped } from '../../pages/resume.js'
import {
  presentIncident,
  presentIncidentDetail,
  reportedByStaff,
} from '../../presenters/incidents/incident.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { idempotent } from '../../web/request/idempotency.js'
import {
  flag,
  id,
  input,
  oneLine,
  oneOf,
  optionalLine,
  queryFlag,
  queryId,
  queryOf,
} from '../../web/request/input.js'
import { bytesFor, linkNext } from '../../web/request/paging.js'
import { throttle } from '../../web/request/throttle.js'

/** Query filters of the list (spec §4, decision 2.11). */
export const IncidentQuery = z.object({
  status: z.enum(statuses, 'not_acceptable').optional(),
  severity: z.enum(severities, 'not_acceptable').optional(),
  assetId: queryId.optional(),
  unitId: queryId.optional(),
  includeMerged: queryFlag.optional(),
  before: queryId.optional(),
  limit: queryId.optional(),
})

/** What a sticker or a link chooses beforehand; anything else it says is ignored. */
const Preselection = z.object({
  assetId: queryId.optional().catch(undefined),
  unitId: queryId.optional().catch(undefined),
})

/** The create request (spec §2). */
const ReportRequest = z
  .object({
    assetId: id('asset').nullish().default(null),
    unitId: id('unit').nullish().default(null),
    title: oneLine('title', limits.title),
    description: optionalLine('description'),
    severity: oneOf('severity', severities),
    isAnonymous: flag('anonymous').default(false),
  })
  .refine(({ assetId, unitId }) => (assetId === null) !== (unitId === null), {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })

/** The list, the report form and its create request, and one incident (spec §4). */
export function incidentRoutes(router: AppRouter): void {
  router.get(both('/incidents'), allow('incident.read'), async (ctx) => {
    const { limit = limits.pageDefault, ...filters } = queryOf(ctx, IncidentQuery)
    const size = Math.min(limit, limits.pageMax)
    const { viewer } = ctx.state
    const { rows, more } = await Incident.page({ ...filters, limit: size }, bytesFor(viewer))
    const next = more ? linkNext(ctx, rows) : null
    await respond(ctx, {
      data: rows.map((row) => presentIncident(row, viewer)),
      view: 'incidents/index',
      fragment: 'incidents/_list',
      extras: async () => ({ filters, next, assets: await Asset.inUse(), byStaff: reportedByStaff(rows) }),
    })
  })

  router.get('/report', allow('incident.report'), async (ctx) => {
    const { assetId, unitId } = queryOf(ctx, Preselection)
    await respond(ctx, {
      view: 'incidents/new',
      fragment: 'incidents/_known',
      extras: { ...(await reportPage(ctx, { assetId })), values: { assetId, unitId } },
    })
  })

  router.post(
    ['/report', ...both('/incidents')],
    allow('incident.report', keepsTyped),
    throttle('reports'),
    body({ photos: true }),
    idempotent(),
    form({ view: 'incidents/new', load: reportPage, rescue: rescuePhotos }),
    async (ctx) => {
      const report = input(ctx, ReportRequest)
      const { actor, viewer } = ctx.state
      const incident = await once(
        actor,
        async () => {
          const made = await reportIncident(actor, report, await photosOf(ctx))
          return presentIncidentDetail(made.incident, [], made.photos, 1, viewer)
        },
        (id) => detailOf(id, viewer),
      )
      await respond(ctx, {
        data: incident,
        location: `/incidents/${incident.id}`,
        notice: 'reported',
        status: 201,
      })
    },
  )

  router.get(both('/incidents/:id'), allow('incident.read'), async (ctx) => {
    await respond(ctx, await incidentAnswer(ctx))
  })
}
