import type { Readable } from 'node:stream'
import { z } from 'zod'
import { AuditQuery, auditAsCsv } from '../audit/auditEntry.js'
import { incidentsAsCsv } from '../incidents/model/search/incidentsAsCsv.js'
import { filtersFrom, IncidentQuery } from '../incidents/pages/listQuery.js'
import { openCsvFiles } from '../platform/db/csvFile.js'
import type { Context } from '../platform/http/context.js'
import { Problem } from '../platform/http/problem.js'
import { answeredByHandler, file } from '../platform/http/route/answerContent.js'
import type { InputPlace } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { YearQuery } from '../status/historyRoutes.js'
import { yearAsCsv } from '../status/present/yearCsv.js'
import { readYearReport } from '../status/readYearReport.js'
import { dateIn } from '../vocabulary/time/calendar.js'

/** Each export holds a database connection and core; two leave enough for all other requests. */
const atOnce = 2
/** Seconds; an export of a million incidents takes about ten. */
const retryAfter = '15'

/** The byte order mark, which spreadsheets need and programs stumble over (decision 7.7). */
const format = {
  bom: z
    .enum(['0', '1'], 'not_acceptable')
    .default('0')
    .transform((flag) => flag === '1'),
}

/**
 * As CSV: incidents by the list's filters (spec §4, decision 2.11) and a year, for staff; audit
 * entries, for admins.
 */
export const exportRoutes = [
  route({
    method: 'get',
    paths: '/api/export/incidents.csv',
    group: 'operations',
    summary: 'All incidents that match the list’s filters, as CSV.',
    permission: 'incident.export',
    query: (place: InputPlace) => IncidentQuery(place).extend(format),
    answer: file('text/csv'),
    handle: async ({ ctx, query: { before, after, limit, bom, ...criteria } }) => {
      const filters = await filtersFrom(ctx, criteria)
      return sendFile(ctx, 'incidents', () => incidentsAsCsv(filters, { byteOrderMark: bom }))
    },
  }),

  route({
    method: 'get',
    paths: '/api/export/audit.csv',
    group: 'operations',
    summary: 'All audit entries that match the log’s filters, as CSV.',
    permission: 'audit.read',
    query: (place: InputPlace) => AuditQuery(place).extend(format),
    answer: file('text/csv'),
    handle: ({ ctx, query: { before, limit, bom, ...filters } }) =>
      sendFile(ctx, 'audit', () => auditAsCsv(filters, { byteOrderMark: bom })),
  }),

  route({
    method: 'get',
    paths: '/api/export/year.csv',
    group: 'operations',
    summary: 'A year of the building and the year before, by asset, as CSV.',
    permission: 'year.read',
    query: YearQuery.extend(format),
    answer: file('text/csv'),
    handle: async ({ ctx, query: { year, bom } }) => {
      const report = await readYearReport(year)
      return sendFile(ctx, 'year', () => yearAsCsv(report, { byteOrderMark: bom }))
    },
  }),
]

/** Names the file by today's date in the property's zone. */
async function sendFile(ctx: Context, name: string, open: () => Promise<Readable>) {
  if (openCsvFiles() >= atOnce)
    throw new Problem(503, 'export_busy', { headers: { 'Retry-After': retryAfter } })
  const lines = await open()
  const { timezone } = (await ctx.state.building()).property
  ctx.set('Content-Disposition', `attachment; filename="${name}-${dateIn(timezone, Date.now())}.csv"`)
  ctx.set('Cache-Control', 'private, no-store')
  ctx.type = 'text/csv; charset=utf-8'
  ctx.body = lines
  return answeredByHandler
}
