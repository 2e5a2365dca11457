import { z } from 'zod'
import type { Context } from '../platform/http/context.js'
import { queryId, queryTime } from '../platform/http/request/input.js'
import { linkNext, olderThan, rowsOf } from '../platform/http/request/paging.js'
import type { Place } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { auditActions } from '../vocabulary/auditActions.js'
import { orNotFound } from '../vocabulary/validation.js'
import { type AuditEntry, auditEntries, auditEntry, possibleActors } from './auditEntry.js'
import { AuditEntryJson, changeLines, pageOfEntity, presentAuditEntry } from './json.js'

const word = z.string('not_acceptable').regex(/^[a-z_]{1,60}(\.[a-z_]{1,60})?$/, 'not_acceptable')

/** The filters of the log; days and local times are in the property's zone. */
export const AuditQuery = ({ zone }: Pick<Place, 'zone'>) =>
  z.object({
    actorId: queryId.optional(),
    actorType: z.enum(['user', 'system'], 'not_acceptable').optional(),
    action: word.optional(),
    entity: word.optional(),
    entityId: queryId.optional(),
    from: queryTime('from', zone).optional(),
    to: queryTime('to', zone, { end: true }).optional(),
    before: queryId.optional(),
    limit: queryId.optional(),
  })

/** The audit log, for admins (spec §1; decisions 1.8, 4.14): every write, newest first. */
export const auditRoutes = [
  route({
    method: 'get',
    paths: ['/admin/audit', '/api/audit'],
    summary: 'Lists audit entries, newest first.',
    permission: 'audit.read',
    query: AuditQuery,
    answer: z.array(AuditEntryJson),
    paged: true,
    handle: async ({ ctx, query: { limit, ...filters } }) => {
      const { rows, more } = await auditEntries({ ...filters, limit: rowsOf(ctx, limit) })
      const next = linkNext(ctx, olderThan({ rows, more }))
      return {
        data: rows.map(presentAuditEntry),
        view: 'audit/index',
        extras: () => auditPage(ctx, rows, next),
      }
    },
  }),

  route({
    method: 'get',
    paths: ['/admin/audit/:id', '/api/audit/:id'],
    summary: 'One audit entry.',
    permission: 'audit.read',
    answer: AuditEntryJson,
    handle: async ({ params }) => {
      const entry = orNotFound(await auditEntry(params.id))
      return {
        data: presentAuditEntry(entry),
        view: 'audit/show',
        extras: { lines: changeLines(entry, { whole: true }), page: pageOfEntity(entry) },
      }
    },
  }),
]

async function auditPage(ctx: Context, entries: AuditEntry[], next: string | null) {
  return {
    actors: await possibleActors(),
    actions: auditActions,
    asked: ctx.query,
    next,
    lines: entries.map((entry) => changeLines(entry)),
    pages: entries.map(pageOfEntity),
  }
}
