import type { Readable } from 'node:stream'
import { z } from 'zod'
import { dateIn } from '../../domain/time/calendar.js'
import { auditAsCsv } from '../../models/audit/auditExport.js'
import { openCsvFiles } from '../../models/exchange/csvFile.js'
import { incidentsAsCsv } from '../../models/exchange/incidentExport.js'
import { Problem } from '../../web/answer/problem.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { queryOf } from '../../web/request/input.js'
import { AuditQuery } from '../audit/audit.js'
import { IncidentQuery } from '../incidents/incidents.js'

/** Each holds a connection and a core of the database for as long as it takes: two leave the others their share. */
const atOnce = 2
/** Seconds; a file of a million incidents takes about ten. */
const retryAfter = '15'

/** Spreadsheets know UTF-8 by a byte order mark, and programs stumble over it: whoever wants it says so (decision 7.7). */
const format = {
  bom: z
    .enum(['0', '1'], 'not_acceptable')
    .default('0')
    .transform((asked) => asked === '1'),
}

/** Every incident that matches the list's filters, for staff (spec §4, decision 2.11); every audit entry, for admins. */
export function exportRoutes(router: AppRouter): void {
  router.get('/api/export/incidents.csv', allow('incident.export'), async (ctx) => {
    const { before, limit, bom, ...filters } = queryOf(ctx, IncidentQuery.extend(format))
    await sendFile(ctx, 'incidents', () => incidentsAsCsv(filters, { byteOrderMark: bom }))
  })

  router.get('/api/export/audit.csv', allow('audit.read'), async (ctx) => {
    const { property } = await ctx.state.building()
    const { before, limit, bom, ...filters } = queryOf(ctx, AuditQuery(property.timezone).extend(format))
    await sendFile(ctx, 'audit', () => auditAsCsv(filters, { byteOrderMark: bom }))
  })
}

async function sendFile(ctx: Context, name: string, open: () => Promise<Readable>): Promise<void> {
  refuseWhenBusy()
  const file = await open()
  ctx.set('Content-Disposition', `attachment; filename="${name}-${await today(ctx)}.csv"`)
  ctx.set('Cache-Control', 'private, no-store')
  ctx.type = 'text/csv; charset=utf-8'
  ctx.body = file
}

function refuseWhenBusy(): void {
  if (openCsvFiles() >= atOnce)
    throw new Problem(503, 'export_busy', { headers: { 'Retry-After': retryAfter } })
}

/** The building's date: what somebody in the office would write on the file. */
async function today(ctx: Context): Promise<string> {
  const { property } = await ctx.state.building()
  return dateIn(property.timezone, Date.now())
}
