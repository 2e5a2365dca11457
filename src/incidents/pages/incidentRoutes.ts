import { z } from 'zod'
import { idempotently } from '../../platform/db/idempotently.js'
import { both } from '../../platform/http/paths.js'
import { linkNext, rowsOf } from '../../platform/http/request/paging.js'
import { queryId } from '../../platform/http/request/query.js'
import { page } from '../../platform/http/route/answerContent.js'
import { jsonOrForm } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { limits } from '../../vocabulary/limits.js'
import { reportIncident } from '../acts/reportIncident.js'
import { IncidentDetailJson, presentIncidentDetail } from '../model/json/incidentDetailJson.js'
import { IncidentJson, PointerJson, presentIncident } from '../model/json/incidentJson.js'
import { listIncidentPage } from '../model/listedIncidents.js'
import { detailOf, incidentAnswer } from './incidentPage.js'
import { incidentListPage } from './listPage.js'
import { filtersFrom, IncidentQuery, nextPage } from './listQuery.js'
import { photosOfRequest, stageRefusedPhotos } from './postedPhotos.js'
import { carryReportForm } from './reporting/carriedForms.js'
import { reportAgain, reportFormPage, reportPage } from './reporting/reportForm.js'
import { ReportForm, ReportRequest, reportOf, sameReport } from './reporting/reportRequest.js'

/**
 * The asset or unit of a sticker's or link's address, or the incident that is back; ignored if
 * invalid.
 */
const Preselection = z.object({
  place: z.string().optional().catch(undefined),
  assetId: queryId.optional().catch(undefined),
  unitId: queryId.optional().catch(undefined),
  again: queryId.optional().catch(undefined),
})

/**
 * `before`: the part of the timeline before this instant, which `Link` leads to when one page is
 * not enough.
 */
const DetailQuery = z.object({
  before: z.iso
    .datetime('not_acceptable')
    .transform((text) => new Date(text))
    .optional(),
})

/** The list, the report form and its create request, and one incident (spec §4). */
export const incidentRoutes = [
  route({
    method: 'get',
    paths: both('/incidents'),
    group: 'incidents',
    otherSites: true,
    summary: 'Lists incidents, newest first by default.',
    permission: 'incident.read',
    keptOffline: true,
    query: IncidentQuery,
    answer: z.array(IncidentJson),
    paged: true,
    handle: async ({ ctx, query: { limit, ...query }, viewer }) => {
      const filters = await filtersFrom(ctx, query)
      const list = await listIncidentPage(
        { ...filters, limit: rowsOf(ctx, limit, limits.incidentsOnPage), includeDismissed: viewer.staff },
        limits.pageBytes,
      )
      const next = linkNext(ctx, nextPage(filters, list))
      const { rows, more } = list
      return {
        data: rows.map((row) => ({
          ...presentIncident(row, viewer),
          ...(query.includeMerged ? { mergedIntoId: row.mergedIntoId } : {}),
        })),
        view: 'incidents/index',
        fragment: 'incidents/_list',
        extras: async () => ({ next, ...(await incidentListPage(ctx, rows, more)) }),
      }
    },
  }),

  route({
    method: 'get',
    paths: '/report',
    indexed: true,
    summary: 'The report form. Guests sign in when they send it.',
    permission: 'page.read',
    query: Preselection,
    answer: page,
    handle: async ({ ctx, query: { again, ...chosen } }) => {
      const values = again === undefined ? chosen : { ...chosen, ...(await reportAgain(ctx, again)) }
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
    group: 'incidents',
    summary: 'Creates an incident, with up to 5 photos.',
    permission: 'incident.report',
    beforeSignIn: carryReportForm,
    throttle: 'reports',
    photos: true,
    idempotent: true,
    sameForm: sameReport,
    body: jsonOrForm(ReportRequest, ReportForm),
    answer: { 201: IncidentDetailJson },
    form: { ...reportFormPage, keepPhotos: stageRefusedPhotos },
    handle: async ({ ctx, body, actor, viewer }) => {
      const { id, data } = await idempotently(
        actor,
        async () => {
          const { incident, photos } = await reportIncident(actor, reportOf(body), await photosOfRequest(ctx))
          const detail = { updates: [], photos, affected: 1 }
          return { id: incident.id, data: async () => presentIncidentDetail(incident, detail, viewer) }
        },
        async (id) => ({ id, data: () => detailOf(id, viewer) }),
        { lookFirst: ctx.state.uploads.length > 0 },
      )
      return { data, location: `/incidents/${id}`, notice: 'reported' }
    },
  }),

  route({
    method: 'get',
    paths: both('/incidents/:id'),
    group: 'incidents',
    otherSites: true,
    summary: 'One incident with its timeline and photos. A merged incident names the one it was merged into.',
    permission: 'incident.read',
    keptOffline: true,
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
