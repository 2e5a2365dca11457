import { z } from 'zod'
import { reportIncident } from '../../actions/incidents/reportIncident.js'
import { idempotently } from '../../actions/system/idempotently.js'
import type { Viewer } from '../../domain/accounts/actor.js'
import { statuses } from '../../domain/incidents/lifecycle.js'
import { severities } from '../../domain/incidents/severity.js'
import { seesUnits } from '../../domain/incidents/visibility.js'
import { limits } from '../../domain/system/limits.js'
import { Asset, Property } from '../../models/building/building.js'
import { Incident } from '../../models/incidents/incident.js'
import { detailOf, incidentAnswer } from '../../pages/incidents/incidentPage.js'
import { photosOf, rescuePhotos } from '../../pages/incidents/incidentPhotos.js'
import { reportAgain, reportPage } from '../../pages/incidents/reportPage.js'
import { ReportRequest } from '../../pages/incidents/reportRequest.js'
import { keepsReport } from '../../pages/keptDraft.js'
import {
  IncidentDetailJson,
  IncidentJson,
  PointerJson,
  presentIncident,
  presentIncidentDetail,
  reportedByStaff,
} from '../../presenters/incidents/incident.js'
import { both } from '../../web/request/both.js'
import { badQuery, queryFlag, queryId } from '../../web/request/input.js'
import { bytesFor, linkNext, olderThan } from '../../web/request/paging.js'
import { page } from '../../web/route/answer.js'
import { route } from '../../web/route/route.js'

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

/** The asset or unit in the address of a sticker or link, or the incident that is back; invalid values are ignored. */
const Preselection = z.object({
  assetId: queryId.optional().catch(undefined),
  unitId: queryId.optional().catch(undefined),
  again: queryId.optional().catch(undefined),
})

/** `before`: older entries of the duplicates, which `Link` leads to when there were too many. */
const DetailQuery = z.object({
  before: z.iso
    .datetime('not_acceptable')
    .transform((text) => new Date(text))
    .optional(),
})

/** What is found by a flat tells which flat it is about (decision 7.13). Throws Problem. */
async function requireSight(viewer: Viewer): Promise<void> {
  const { unitVisibility } = await Property.current()
  if (!seesUnits(viewer, unitVisibility)) throw badQuery({ unitId: ['unit_filter_hidden'] })
}

/** The list, the report form and its create request, and one incident (spec §4). */
export const incidentRoutes = [
  route({
    method: 'get',
    paths: both('/incidents'),
    summary: 'Lists incidents, newest first.',
    permission: 'incident.read',
    query: IncidentQuery,
    answer: z.array(IncidentJson),
    paged: true,
    handle: async ({ ctx, query: { limit = limits.pageDefault, ...filters }, viewer }) => {
      if (filters.unitId !== undefined) await requireSight(viewer)
      const size = Math.min(limit, limits.pageMax)
      const found = await Incident.page(
        { ...filters, limit: size, includeDismissed: viewer.staff },
        bytesFor(viewer),
      )
      const { rows } = found
      const next = linkNext(ctx, olderThan(found))
      return {
        data: rows.map((row) => presentIncident(row, viewer)),
        view: 'incidents/index',
        fragment: 'incidents/_list',
        extras: async () => ({ filters, next, assets: await Asset.inUse(), byStaff: reportedByStaff(rows) }),
      }
    },
  }),

  route({
    method: 'get',
    paths: '/report',
    summary: 'The form to report something with; guests say who they are when they send it.',
    permission: 'page.read',
    query: Preselection,
    answer: page,
    handle: async ({ ctx, query: { again, ...place } }) => {
      const values = again === undefined ? place : { ...place, ...(await reportAgain(ctx, again)) }
      return {
        view: 'incidents/new',
        fragment: 'incidents/_known',
        extras: { ...(await reportPage(ctx, values)), values },
      }
    },
  }),

  route({
    method: 'post',
    paths: ['/report', ...both('/incidents')],
    summary: 'Reports something, with up to five photos.',
    permission: 'incident.report',
    keep: keepsReport,
    throttle: 'reports',
    photos: true,
    idempotent: true,
    body: ReportRequest,
    answer: { 201: IncidentDetailJson },
    form: { view: 'incidents/new', load: reportPage, rescue: rescuePhotos },
    handle: async ({ ctx, body, actor, viewer }) => {
      const incident = await idempotently(
        actor,
        async () => {
          const made = await reportIncident(actor, body, await photosOf(ctx))
          const shown = { updates: [], photos: made.photos, affected: 1 }
          return presentIncidentDetail(made.incident, shown, viewer)
        },
        (id) => detailOf(id, viewer),
        { lookFirst: ctx.state.uploads.length > 0 },
      )
      return { data: incident, location: `/incidents/${incident.id}`, notice: 'reported' }
    },
  }),

  route({
    method: 'get',
    paths: both('/incidents/:id'),
    summary: 'One incident with its timeline and photos; of a merged one, where it went.',
    permission: 'incident.read',
    query: DetailQuery,
    paged: true,
    answer: z.union([IncidentDetailJson, PointerJson]),
    handle: async ({ ctx, params: { id }, query: { before = null } }) => {
      const { older = null, ...answer } = await incidentAnswer(ctx, id, before)
      linkNext(ctx, older)
      return answer
    },
  }),
]
