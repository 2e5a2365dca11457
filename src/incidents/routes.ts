import { z } from 'zod'
import { idempotently } from '../platform/db/idempotently.js'
import { both } from '../platform/http/request/both.js'
import { queryId } from '../platform/http/request/input.js'
import { linkNext, rowsOf } from '../platform/http/request/paging.js'
import { page } from '../platform/http/route/answer.js'
import { jsonOrForm } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { limits } from '../vocabulary/limits.js'
import { Incident } from './incident.js'
import {
  IncidentDetailJson,
  IncidentJson,
  PointerJson,
  presentIncident,
  presentIncidentDetail,
} from './json.js'
import { detailOf, incidentAnswer } from './page/page.js'
import { photosOf, rescuePhotos } from './photos/page.js'
import { keepsReport } from './report/keptDraft.js'
import { reportAgain, reportPage } from './report/page.js'
import { placed, ReportForm, ReportRequest, reportIncident } from './report/reportIncident.js'
import { filtersFrom, IncidentQuery, incidentListPage, nextPage } from './search/page.js'

/**
 * The asset or unit in the address of a sticker or link, or the incident that is back; invalid
 * values are ignored.
 */
const Preselection = z.object({
  place: z.string().optional().catch(undefined),
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

/** The list, the report form and its create request, and one incident (spec §4). */
export const incidentRoutes = [
  route({
    method: 'get',
    paths: both('/incidents'),
    summary: 'Lists incidents, newest first by default.',
    permission: 'incident.read',
    query: IncidentQuery,
    answer: z.array(IncidentJson),
    paged: true,
    handle: async ({ ctx, query: { limit, ...asked }, viewer }) => {
      const filters = await filtersFrom(ctx, asked)
      const found = await Incident.page(
        { ...filters, limit: rowsOf(ctx, limit, limits.incidentsOnPage), includeDismissed: viewer.staff },
        limits.pageBytes,
      )
      const next = linkNext(ctx, nextPage(filters, found))
      const { rows, more } = found
      return {
        data: rows.map((row) => ({
          ...presentIncident(row, viewer),
          ...(asked.includeMerged ? { mergedIntoId: row.mergedIntoId } : {}),
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
    summary: 'Creates an incident, with up to 5 photos.',
    permission: 'incident.report',
    keep: keepsReport,
    throttle: 'reports',
    photos: true,
    idempotent: true,
    body: jsonOrForm(ReportRequest, ReportForm),
    answer: { 201: IncidentDetailJson },
    form: { view: 'incidents/new', load: reportPage, rescue: rescuePhotos },
    handle: async ({ ctx, body, actor, viewer }) => {
      const incident = await idempotently(
        actor,
        async () => {
          const made = await reportIncident(actor, placed(body), await photosOf(ctx))
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
    summary: 'One incident with its timeline and photos. A merged incident names the one it was merged into.',
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
